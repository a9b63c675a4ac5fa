import { MAX_REMEMBERED_WORDS } from '../../options.ts'

/** English words that exclude each other when they are said of the same thing: pairs, or groups of which any two do. */
const GROUPS =
  'increase,raise,rise,grow,gain,elevate,enhance,expand,boost,promote,upregulate,accelerate,improve,strengthen,stimulate,activate,facilitate|' +
  'decrease,lower,fall,shrink,lose,reduce,diminish,contract,inhibit,suppress,downregulate,decelerate,worsen,weaken,impair,deactivate,decline,drop,prevent,block,attenuate;' +
  'more,higher,greater,larger,bigger,longer,above,over|less,fewer,lower,smaller,shorter,below,under;high|low;big,large,huge|small,little,tiny;long,tall|short;' +
  'start,begin,launch,commence|stop,end,finish,cease,halt,quit;on|off;up|down;inside,indoors|outside,outdoors;open,opened|close,closed,shut;' +
  'enable,allow,permit,enabled,allowed,permitted|disable,deny,forbid,prohibit,ban,disabled,denied,forbidden,prohibited,banned;accept,approve,approved,accepted|reject,refuse,decline,rejected,refused,declined;' +
  'add,insert,install,include,append|remove,delete,uninstall,exclude,drop;buy,purchase|sell;pass,succeed,success|fail,failure;win|lose;love,like,enjoy,prefer|hate,dislike,detest,avoid;' +
  'true,correct,right|false,wrong,incorrect;before,early,earlier,first|after,late,later,last;left|right;north|south;east|west;top|bottom;front|back;always|never;' +
  'everybody,everyone,everything,all,every|nobody,nothing,none;some,any|none;many|few;alive,living|dead,die;hot,warm|cold,cool;wet|dry,parched;full,crowded|empty,vacant,deserted,vacated;' +
  'clean|dirty,messy;new,young,recent|old,aged,ancient;fast,quick,rapid|slow;hard,difficult|easy;hard|soft;strong|weak;rich|poor;light,bright|dark;light|heavy;day|night;morning|evening;' +
  'happy,glad|sad,unhappy;safe|dangerous,unsafe;public|private,secret;internal|external;online|offline;local|remote;manual|automatic,automated;optional|mandatory,required,compulsory;' +
  'synchronous,sync|asynchronous,async;single|married,multiple;cheap|expensive,costly;near,close|far,distant;positive|negative;maximum,max|minimum,min;major|minor;' +
  'arrive,come|leave,depart,go;push|pull;give|take;give|receive;lend|borrow;teach|learn;' +
  'remember|forget;lock|unlock;attach|detach;connect|disconnect;appear|disappear;build,create|destroy,demolish;hire|fire;save|spend;send|receive;rise|set;ascend|descend;enter|exit,leave;' +
  'present,presence|absent,absence;possible|impossible;likely|unlikely;sit,sitting,seated|stand,standing,run,running,walk,walking,lie,lying,jump,jumping;sleep,sleeping,asleep|awake,run,running;' +
  'wake|sleep;laugh,smile|cry,weep,frown;kiss|hit;loud,noisy|quiet,silent;tight|loose;thick|thin;wide,broad|narrow;deep|shallow;sharp|blunt,dull;smooth|rough;sweet|bitter,sour;' +
  'put,place|take;hold|drop,release;throw|catch;fill|drain;freeze,frozen|melt;wear|remove;attend,attended|miss,missed,skip;vertical|horizontal;dangerous|harmless;benign|malignant;' +
  'acute|chronic;beneficial,protective|harmful,detrimental;necessary,essential,required|unnecessary,dispensable,redundant;sufficient|insufficient;related,associated|unrelated,independent;' +
  'resistance,resistant|sensitivity,sensitive,susceptible;presence|absence,lack;upstream|downstream;gain|loss;agonist|antagonist;intact|damaged,broken;done,completed,finished|pending,unfinished,incomplete,todo;' +
  'vegetarian,vegan|carnivore,omnivore;legal|illegal;guilty|innocent;agree|disagree;attack|defend;bless|curse;victory|defeat;friend|enemy;profit|loss;supply|demand;upgrade|downgrade;' +
  'merged|unmerged,reverted;active|inactive,idle;available|unavailable;stable|unstable,flaky;visible|hidden,invisible;asc,ascending|desc,descending;horizontal|vertical;blocked|unblocked;' +
  'central|peripheral;primary|secondary;dependent|independent'

/** Words of which no two can be said of one thing at a time. */
const EXCLUSIVE = [
  'red orange yellow green blue purple violet pink brown black white grey gray',
  'spring summer autumn winter',
  'north south east west',
  'small medium large',
  'debug info warning error fatal',
  'breakfast lunch dinner',
  'morning afternoon evening night',
]

const PREFIXES = ['un', 'dis', 'non', 'non-', 'im', 'ir', 'il', 'in', 'de', 'mis']
/** Least length of what is left of a word without its prefix: shorter ones are words of their own (inform, disease). */
const MIN_ROOT = 5
const NO_OPPOSITES = new Set([
  'formation information',
  'direction indirection',
  'tension intension',
  'pression impression',
  'press impress',
  'prove improve',
  'portion importion',
  'rection direction',
])

const sides = new Map<string, Set<string>>()
const classOf = new Map<string, number>()
for (const group of GROUPS.split(';').filter((one) => one.includes('|'))) {
  const [left = '', right = ''] = group.split('|')
  for (const [here, there] of [
    [left, right],
    [right, left],
  ] as const) {
    for (const word of here.split(',')) {
      const against = sides.get(word) ?? new Set<string>()
      for (const other of there.split(',')) against.add(other)
      sides.set(word, against)
    }
  }
}
EXCLUSIVE.forEach((words, index) => {
  for (const word of words.split(' ')) classOf.set(word, index)
})

/** Whether the word, in lower case and in any form, is one that has an opposite of its own. */
export function hasOpposite(word: string): boolean {
  return formsOf(word).some((form) => sides.has(form))
}

/** The forms under which an inflected word may be listed. */
function baseForms(word: string): string[] {
  const forms = [word]
  const add = (ending: RegExp, ...endings: string[]): void => {
    if (ending.test(word)) for (const one of endings) forms.push(word.replace(ending, one))
  }
  add(/ies$/, 'y')
  add(/es$/, '', 'e')
  add(/s$/, '')
  add(/ied$/, 'y')
  add(/ed$/, '', 'e')
  add(/ing$/, '', 'e')
  add(/([bdfgklmnprt])\1(?:ed|ing)$/, '$1')
  add(/er$/, '', 'e')
  add(/est$/, '', 'e')
  add(/ly$/, '')
  add(/ion$/, 'e', '')
  add(/ment$/, '')
  return forms
}

const IRREGULAR = new Map(
  'rose:rise fell:fall grew:grow lost:lose won:win bought:buy sold:sell began:begin went:go came:come gave:give took:take sat:sit stood:stand ran:run slept:sleep left:leave threw:throw caught:catch'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

const remembered = new Map<string, readonly string[]>()

function formsOf(word: string): readonly string[] {
  const known = remembered.get(word)
  if (known) return known
  const irregular = IRREGULAR.get(word)
  const forms = [...baseForms(word), ...(irregular === undefined ? [] : baseForms(irregular))].filter(
    (form) => form !== '',
  )
  if (remembered.size >= MAX_REMEMBERED_WORDS) remembered.clear()
  remembered.set(word, forms)
  return forms
}

/** Whether two words, in lower case, exclude each other when they are said of the same thing. */
export function areOpposite(a: string, b: string): boolean {
  if (a === b) return false
  const [formsA, formsB] = [formsOf(a), formsOf(b)]
  if (formsA.some((form) => formsB.includes(form))) return false
  for (const form of formsA) {
    const against = sides.get(form)
    if (against && formsB.some((other) => against.has(other))) return true
    const exclusive = classOf.get(form)
    if (exclusive !== undefined && formsB.some((other) => classOf.get(other) === exclusive)) return !isSpelling(form, b)
  }
  return isNegatedForm(a, b) || isNegatedForm(b, a)
}

function isSpelling(a: string, b: string): boolean {
  return (a === 'grey' && b === 'gray') || (a === 'gray' && b === 'grey')
}

/** Whether the longer word is the shorter one with a prefix that negates, or has -less for its -ful. */
function isNegatedForm(longer: string, word: string): boolean {
  if (word.length < MIN_ROOT) return false
  if (longer.endsWith('less') && (longer === `${word}less` || longer === word.replace(/ful$/, 'less'))) return true
  if (NO_OPPOSITES.has(`${word} ${longer}`)) return false
  return PREFIXES.some(
    (prefix) => longer.length === prefix.length + word.length && longer.startsWith(prefix) && longer.endsWith(word),
  )
}
