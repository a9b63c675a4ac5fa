/**
 * English words that commonly begin a sentence, a list item or a heading and are no names: verbs in the imperative, adverbs, nouns of
 * notes and of plans, pronouns and conjunctions beyond the function words.
 */
const COMMON_STARTS = new Set(
  (
    'about above accept according across action add after again all allow also although always an analysis and another answer any apply approach approx ask ' +
    'assume at attempt avoid back background backup because before begin below besides best better both bottom bring bug build but buy call can cancel case cause ' +
    'change check choose choice clean clear close code collect come command comment commit compare complete conclusion configure connect consider contact ' +
    'content context continue control convert copy correct correction cost could create current currently customer daily data date day deadline debug decide decided ' +
    'decision default define delete deploy depends description design despite details develop did different discuss discussed do document done draft drop due ' +
    'during each early easy edit either email enable end ensure enter error especially even event every everyone everything evidence example except expect explain ' +
    'export extra fact failed fails feature few fetch file fill final finally find finding first fix fixed follow food for found four free from full further get give ' +
    'given go goal goals good got great group guess had half hand happy has have he hello help hence her here hey hi high his history hope hours how however idea if ' +
    'implement important import improve in include income info information initial input insert inside install instead introduction investigate is issue issues it item ' +
    'items its job join just keep key know last late later latest launch learn least leave less let level like likely limit line link list load local log long look ' +
    'looking lots low main maintain make many mark market maximum may maybe meanwhile meeting memory men merge message met method might milestone minimum missing mode ' +
    'month monthly more moreover morning most move moved much must my name need needs never new news next nice night no nobody none nor not note notes nothing notice ' +
    'now number of off offer office often oh ok okay old on once one online only open optional or order other others otherwise our out output over overall overview ' +
    'own page part pay people perhaps pick place plan planned please plus point possible post prefer preference prepare present press pressure price probably problem ' +
    'process product progress project provide pull purpose push put question questions quick quite raise rather read really reason recently record reduce ' +
    'refactor reference regarding related release remember reminder remove rename repeat replace reply report request require requirements rerun research reset resolve ' +
    'response restart result results return review right risk rule run running said same save saw say schedule search second section security see seems select send ' +
    'server service session set setup several shall she should show similar simple simply since size small so some somebody someone something sometimes soon sorry sort ' +
    'source specific speed stage start started state status step steps still stop store story strategy student students such suggest suggestion summary support sure system table ' +
    'take talk target task tasks team tell ten test tested testing tests text than thank thanks that the their them then there therefore these they thing things think ' +
    'this those though three through thus time timeline tip title to today todo together told tomorrow too took tool top topic total track training try turn two type ' +
    'under understand unfortunately unit unless until up update updated upgrade upload upon us use used user users using usually value verify version very via view visit ' +
    'wait want warning was watch water way we week weekly welcome well went were what when whenever where whether which while who whole whose why will wish with within ' +
    'without women woman man boy girl child children word work worked working works would write wrong year yes yesterday yet you young your boiler dog dogs cat'
  ).split(' '),
)
const VERB_OR_ADVERB = /(?:ing|ed|ly|tion|ment|ness|ity)$/

/** Whether a word, in lower case, says nothing of a name when a sentence begins with it. */
export function isCommonStart(word: string): boolean {
  return COMMON_STARTS.has(word) || (word.length > 5 && VERB_OR_ADVERB.test(word))
}
