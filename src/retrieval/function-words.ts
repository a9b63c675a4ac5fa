import { type Language, rankLanguages } from '../text/dates/language-of.ts'
import { tokenize } from '../text/tokenize.ts'

/** Words of courtesy in English, whose other small words the tokenizer knows. */
const COURTESY = 'please pls plz kindly politely thanks thank thx hi hey hello'

/** Small words of other languages, courtesy included: articles, pronouns, prepositions, conjunctions, auxiliaries, question words. */
const SMALL_WORDS: Readonly<Partial<Record<Language, string>>> = {
  de: 'der die das den dem des ein eine einen einem einer eines und oder aber ich du er sie es wir ihr mich dich uns euch mir dir ihm ihn ihnen mein meine unser unsere sein seine was wann wer wem wen wie wo warum wieso welche welcher welches ist sind war waren wird werden wurde haben hat hatte hatten habe kann können könnte soll sollen muss müssen darf will würde im am an auf aus bei bis durch für gegen in mit nach ohne über um unter von vom vor zu zum zur dass ob wenn weil als auch noch nicht nur schon mal doch denn bitte danke hallo freundlich höflich',
  es: 'el la los las un una unos unas y o pero de del al a en con por para sin sobre que qué quién cuándo cuánto cuántos cómo dónde cuál cuáles es son era fue fueron está están ser estar ha han hay he hemos había puede pueden yo tú él ella nosotros me te se nos le les lo mi mis tu su sus no sí también ya muy este esta esto ese esa eso si favor gracias hola amablemente',
  fr: 'le la les un une des du de d l et ou mais je j tu il elle on nous vous ils elles me m te se s y en mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs que qu quoi qui quand comment combien où pourquoi quel quelle quels quelles est sont était été a ont avons avez avait fait peut peux c ce cette ces à au aux dans pour par avec sans sur sous entre chez ne n pas plus si ça déjà aussi merci bonjour svp gentiment poliment',
  it: 'il lo la i gli le un uno una e o ma di del della dei delle da dal dalla in nel nella a al alla con su sul per tra fra che chi cosa quando quanto quanti come dove quale quali perché è sono era erano ha hanno ho abbiamo avete può io tu lui lei noi voi loro mi ti si ci vi ne mio mia nostro nostra suo sua non anche già più se questo questa quello quella grazie ciao gentilmente cortesemente',
  nl: 'de het een en of maar ik jij je hij zij ze wij we u jullie mij me ons hun mijn jouw zijn haar onze wat wanneer wie hoe waar waarom welke welk is was waren wordt worden werd heb heeft hebben had kan kunnen zou moet moeten zal in op aan met van voor naar bij uit over door om te tot als dat dit die deze er niet geen ook nog al graag alsjeblieft bedankt hallo vriendelijk beleefd',
  pt: 'o a os as um uma uns umas e ou mas de do da dos das em no na nos nas a ao à por pelo pela para com sem sobre que quem quando quanto quantos como onde qual quais é são era foi foram está estão ser ter tem têm há pode podem eu tu ele ela nós me te se nos lhe meu minha nosso nossa seu sua não sim também já muito este esta isto esse essa isso favor obrigado obrigada olá gentilmente educadamente',
  ru: 'и а но или в во на с со к ко по за из от до для о об у при над под без через я ты он она оно мы вы они меня тебя его её нас вас их мне тебе ему ей нам вам им мой моя наш наша ваш свой что кто когда как где куда почему сколько какой какая какие это этот эта эти тот та был была было были есть будет не ни же ли бы уже ещё если чтобы пожалуйста спасибо привет вежливо любезно',
  sv: 'och att det som en ett den de är var vi jag du han hon ni mig dig oss på av för med till från om under över vid efter när vad vem hur varför vilken vilket vilka har hade ska skulle kan kunde inte också min din sin vår er tack hej vänligt artigt',
  tr: 've bir bu şu o ne kim neden nasıl nerede hangi kaç için ile mi mı mu mü da de ki var yok ben sen biz siz onlar bana sana bize benim senin bizim ama veya gibi kadar daha çok lütfen teşekkürler merhaba nazikçe kibarca',
  uk: 'і й та а але або в у на з із зі до по за від для про при над під без через я ти він вона воно ми ви вони мене тебе його її нас вас їх мені тобі йому їй нам вам мій моя наш наша ваш свій що хто коли як де куди чому скільки який яка які це цей ця ці той був була було були є буде не ні ж чи би вже ще якщо щоб будь ласка дякую привіт ввічливо люб’язно',
}

const known = new Map<string, ReadonlySet<string>>()

/** The terms of a query that say nothing of what it is about, in the language that its small words give away. */
export function functionTerms(query: string): ReadonlySet<string> {
  const [likeliest] = rankLanguages(query)
  const { language = 'en', score = 0 } = likeliest ?? {}
  return termsOf(score >= MIN_SMALL_WORDS && language !== 'en' ? language : 'en')
}

/** So many small words tell a language: one alone may be a name. */
const MIN_SMALL_WORDS = 2

function termsOf(language: Language | 'en'): ReadonlySet<string> {
  const found = known.get(language)
  if (found) return found
  const list = language === 'en' ? COURTESY : (SMALL_WORDS[language] ?? '')
  const terms = new Set(tokenize(list).map(({ term }) => term))
  known.set(language, terms)
  return terms
}
