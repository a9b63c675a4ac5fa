/** Words by which a line says what it is, in lower case where they have any; English in full, other languages the commonest. */

const words = (list: string, more = ''): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${list})(?![\p{L}\p{N}])${more === '' ? '' : `|${more}`}`, 'iu')

/** At the beginning of a line. */
export const TODO =
  /^\W*(?:todo|to-do|to do|fixme|action(?: item)?s?|next steps?|still to do|zu erledigen|offen|à faire|pendientes?|por hacer)\s*(?:\([^)]{1,30}\)\s*)?[:：—–-]\s*(?=\S)|^\W*(?:TODO|FIXME)\s+(?=\S)|^(?:待办|やること)\s*[:：]/iu
export const REMIND = words(
  `(?:please )?remind (?:me|us)|(?:please )?don['’]t (?:let me )?forget|remember to|erinner[en]* mich|nicht vergessen|rappelle-moi|n['’]oublie pas|recuérdame|no olvides`,
  '提醒我|别忘了|忘れないで|リマインド',
)

/** What comes before a day by which something has to be done. */
export const BY_DAY =
  /(?<![\p{L}\p{N}])(?:by|due(?: (?:on|by|date))?:?|no later than|deadline(?: is| of|:)?(?: on)?|expires?(?: on)?|(?:ends?|runs out|lapses)(?: on)?|latest(?: by)?|bis(?: zum| spätestens)?|spätestens(?: am| bis)?|fällig(?: am| bis)?:?|frist:?|abgabe(?: am)?|avant(?: le)?|d['’]ici(?: le| à)?|échéance(?: le)?:?|date limite:?|antes del?|vence(?: el)?|fecha límite:?|para el)(?![\p{L}])\s*(?=\S)|(?:截止(?:到|日期)?|期限は?)[:：]?\s*/giu
/** What says that something has to be done by then. */
export const MUST = words(
  `must|needs?|ha(?:s|ve) to|shall|please|want(?:s|ed)?|due|deadline|no later than|latest|ought|muss|müssen|soll(?:en)?|bitte|braucht|spätestens|fällig|frist|abgabe|doit|dois|devons|il faut|échéance|merci de|debe[ns]?|tengo que|hay que|vence`,
)
/** What comes after such a day. */
export const DAY_BEFORE = /(?:まで(?:に)?|之前|以前|前(?=完成|提交|交))/u
/** What comes before a day on which something takes place. */
export const ON_DAY =
  /(?<![\p{L}\p{N}])(?:on|am|le|el|il|is|are|kommt|tomorrow|morgen|demain|mañana|next)\s+(?=\S)|(?<![\p{L}\p{N}])(?=(?:tomorrow|morgen|demain|mañana)(?![\p{L}]))/giu
/** What takes place: without one of these, a day is only mentioned. */
export const TAKES_PLACE = words(
  `meetings?|meets?|appointments?|(?<!on[ -])calls?|interviews?|demos?|reviews?|presentations?|conferences?|festival|visits?|flights?|trains?|dentist|doctor|operation|surgery|exams?|birthday|wedding|party|dinner|lunch|hand-?over|launch(?:es)?|releases?|deploy(?:ment)?s?|rehearsal|workshop|webinar|standup|stand-up|arrives?|comes?|departs?|starts?|begins?|leaves?|takes place|moves?|opens?|back|termin|treffen|besprechung|anruf|flug|zahnarzt|arzt|geburtstag|kommt|beginnt|rendez-vous|réunion|rdv|cita|reunión|vuelo`,
  '会议|开会|预约|约会|会議|打ち合わせ|予約|面接',
)

/** What looks back: such a sentence tells what was. */
export const PAST = words(
  String.raw`was|were|did|had|went|came|said|told|got|ran|began|left|took|sent|saw|found|wrote|held|met|paid|fired|fell|broke|grew|\p{L}{2,}(?<!e)ed|war|waren|hatte|hatten|wurde|wurden|ging|kam|était|étaient|avait|avaient|fue|era|eran|estaba|había`,
  `でした|ました|だった`,
)
/** What looks back as a whole, or is denied or only supposed: no promise, no state of things now. */
export const SUPPOSED = words(
  `if|unless|would|could|might|whether|in case|wenn|falls|würde|könnte|si|sauf si|serait|cuando|podría`,
  '如果|要是|もし|たら',
)
export const NEGATED =
  /(?<![\p{L}])(?:not?|never|nothing|nobody|without|hardly|isn['’]?t|wasn['’]?t|aren['’]?t|don['’]?t|doesn['’]?t|didn['’]?t|hasn['’]?t|haven['’]?t|won['’]?t|can['’]?t|cannot|nicht|kein[e]?[nrms]?|nie|nichts|ne|pas|jamais|aucun|nunca|ningun[oa]?)(?![\p{L}])|[不没未]|ない|ません/iu

/** Something is done, repaired or decided. */
export const DONE = words(
  `done|finished|completed?|resolved|fixed|solved|closed|merged|shipped|released|deployed|delivered|repaired|sorted out|taken care of|(?:has|have) been (?:sent|paid|signed|approved|replaced|removed|updated)|works? again|back (?:up|online|to normal)|cleared|settled|paid|erledigt|behoben|gelöst|fertig|abgeschlossen|gemergt|repariert|bezahlt|fait|terminée?s?|résolue?s?|corrigée?s?|réparée?s?|payée?s?|hech[oa]s?|terminad[oa]s?|resuelt[oa]s?|arreglad[oa]s?|solucionad[oa]s?|pagad[oa]s?`,
  '已?修复|解决了?|已?完成|搞定|已?合并|直りました|修正(?:済み|しました)|完了|解決(?:済み|しました)|終わりました',
)
/** What the speaker reports to have done. */
export const I_DID =
  /^\W*(?:(?:ok(?:ay)?|yes|update|good news)[,:!.]?\s+)?(?:i|we)(?:['’]ve| have)?(?: just| already| finally| now)? (?<verb>called|phoned|emailed|mailed|wrote|sent|submitted|filed|booked|ordered|bought|paid|cancell?ed|renewed|returned|replaced|removed|updated|upgraded|moved|cleaned|signed|uploaded|published|posted|answered|replied|told|informed|rotated|dropped|scheduled|finished|completed|fixed|resolved|merged|shipped|deployed|released|closed|got|picked up|handed in|dropped off|made)(?![\p{L}])/iu
/** An item that begins with what was done, as logs are kept: "Dropped the slot". */
export const LOGGED =
  /^\W*(?:(?:\p{Lu}\p{Ll}{1,14}[^e\W]ed|Sent|Made|Bought|Paid|Wrote|Told|Got|Built|Put|Cut|Set)(?= (?:the|a|an|all|both|two|three|four|\d|our|my|it|in|to|for|from|\p{Lu}|`))|(?:\p{Lu}\p{Ll}+|[Ii]ch habe?) .{0,60}(?:erledigt|behoben|bezahlt|abgeschickt|verschickt)\b)/u
/** A completion that is still to come: "until it is fixed", "to be merged". */
export const NOT_YET = words(
  `to be|not|nothing|never|n['’]t|until|before|once|when|should|must|will|need(?:s|ed)?(?: to be)?|nearly|almost|half|can be|could be|partially|hasn['’]t|isn['’]t|wasn['’]t|haven['’]t|yet to|wird|noch nicht|nicht|muss|bis|pas|sera|no|será`,
  '还没|没有|未|まだ|ない',
)

export const DECIDED = words(
  `decided|decisions? ?[:：]|agreed (?:to|on|that)|we(?:['’]ll| will)? go with|settled on|chose|entschieden|beschlossen|vereinbart|décidé|convenu|decidido|acordado|decidimos`,
  '决定|決定|決めました|商定',
)

/** Something is wrong now. */
export const PROBLEM = words(
  String.raw`leak(?:s|ing)|(?:is|are|goes|still|has been|been) down|offline|unreachable|broken|crash(?:es|ing)|fail(?:s|ing)|stuck|(?:throws|gives|returns|shows) (?:an? )?errors?|overheat(?:s|ing)|corrupt(?:ed)?|flaky|(?:alert|alarm)s? (?:at|fired|fires|firing|for|from)|(?:new|a) (?:bug|issue)|issue #\d+|regression in|out of (?:memory|disk|space|stock)|nearly full|almost full|does(?:n['’]t| not) work|do(?:n['’]t| not) work|not working|not responding|no longer works|stopped working|keeps? (?:failing|crashing|restarting|timing out|losing|dropping)|times? out|timing out|kaputt|defekt|ausgefallen|undicht|funktioniert nicht|geht nicht|en panne|cassée?s?|ne (?:marche|fonctionne) (?:pas|plus)|fuit|averiad[oa]|no funciona|gotea`,
  '(?:出)?故障(?:了|中|している)|坏了|漏水|崩溃|报错|出现异常|壊れ(?:た|てい)|漏れてい|エラーが(?:出|発生)|動かない|落ちてい',
)
/** What fills up or is used up, by its share. */
export const FILLING =
  /\b(?:disk|memory|ram|cpu|swap|storage|volume|partition|quota|budget|inode|platte|speicher|disque|disco)s?\b(?! alerts?)[^.;:,%]{0,40}?(?:at|is|now|reached|bei|à|al?)\s+(?<share>\d{1,3}(?:[.,]\d+)?)\s?%/iu
export const WATCH =
  /^\W*(?:(?:please|bitte)\s+)?(?:watch(?:ing)?(?: out)?(?: for)?|monitor(?:ing)?|keep an eye on|keep watching|keep track of|track|wait(?:ing)? (?:for|on)|check (?:back|whether|if|again)|follow up|beobachten?|im auge behalten|warte[n]? auf|surveiller|en attente de|garder un œil|vigilar|esperar|a la espera de)(?![\p{L}])|\b(?:keep an eye on|im auge behalten|garder un œil sur|we(?:['’]re| are) (?:waiting for|monitoring|watching)|i(?:['’]m| am) (?:waiting for|monitoring|watching))\b|^(?:观察|关注|监控|留意|監視|様子を見)/iu
export const UNKNOWN = words(
  `cause (?:is )?(?:not (?:yet )?(?:found|known)|unknown|unclear)|not (?:yet )?(?:found|known|clear|understood)(?: yet)?|(?:still|remains?) (?:unclear|unknown|open|to be (?:clarified|decided|found))|open questions?|unclear (?:whether|why|how|if)|(?:we|i|nobody|no one) (?:do(?:es)?n['’]t|do(?:es)? not|still don['’]t)? ?know(?:s)? (?:why|how|whether|what|if|where)|to be clarified|tbd|ungeklärt|noch unklar|offene frage|ursache unbekannt|reste à (?:clarifier|savoir)|cause inconnue|on ne sait pas|sin aclarar|no sabemos|causa desconocida`,
  '原因不明|尚不清楚|不知道为什么|待确认|未定|要確認',
)
export const QUESTION_HEADING = words(
  'open questions?|questions?|unknowns?|to clarify|offene fragen?|questions ouvertes|preguntas(?: abiertas)?',
  '问题|疑问|未解決',
)
export const GOAL_HEADING = words(
  'goals?|objectives?|okrs?|milestones?|targets?|ziele?|objectifs?|objetivos?|metas?',
  '目标|目標',
)
export const GOAL =
  /^\W*(?:(?:our |my |the )?(?:goal|objective|target|aim)s?(?: is)?(?: to)?(?![\p{L}])\s*[:：]?|(?:unser |mein |das )?ziel(?: ist)?\s*[:：]|objectif\s*[:：]|objetivo\s*[:：]|目标[:：]|目標[:：])\s*(?=\S)/iu

/** What somebody means to do, said of themselves or of a person by name. */
export const INTENT =
  /(?:^|[,;:]\s*|\band )(?:[Ii]|[Ww]e|(?!(?:They|It|This|That|These|Those|He|She|You|The|There|What|Who|Nobody)\b)\p{Lu}\p{Ll}+)(?:['’]ll| will| ha(?:ve|s) to| must| needs? to| plans? to|(?: am| are| is|['’]m|['’]re) going to) (?!be\b|not\b|need\b|have\b|never\b)(?=\p{L})|^(?:[Ii]ch werde|[Ii]ch muss|[Ww]ir werden|[Ww]ir müssen|[Jj]e vais|[Jj]e dois|[Nn]ous allons|[Nn]ous devons|[Vv]oy a|[Tt]engo que|[Vv]amos a|我要|我们要|我会|私は)/u

export const GOOD = words(
  'passed|succeed(?:s|ed)|success(?:ful(?:ly)?)?|won|approved|accepted|granted|record|best so far|up and running|went live|is live|is up|launched|works now|all (?:green|good)|back online|thank you|congratulations|great news|good news|milestone|bestanden|gewonnen|genehmigt|geschafft|réussi|gagné|accepté|approuvé|lancé|ganado|aprobad[oa]|conseguido|lanzad[oa]',
  '成功|通过了?|上线|合格|達成|成功',
)

/** Whether any of it is in a text, where lines begin as they stand. */
export const ANY = new RegExp(
  [
    String.raw`^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\[`,
    'cron',
    ...[
      TODO,
      REMIND,
      BY_DAY,
      DAY_BEFORE,
      TAKES_PLACE,
      DONE,
      I_DID,
      LOGGED,
      DECIDED,
      PROBLEM,
      FILLING,
      WATCH,
      UNKNOWN,
      GOAL,
      INTENT,
      GOOD,
    ].map(({ source }) => source.replace(/\(\?<(?:verb|share)>/g, '(')),
    String.raw`\b(?:every|each|daily|monthly|\p{L}+days)\b|jede|tous les|cada|每|毎|[?？]`,
  ].join('|'),
  'imu',
)
