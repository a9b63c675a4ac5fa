import { drawFrom, drawSecrets, needsName, type ScannerRule } from './secret-rules.ts'

/** A text with a secret in it, in the way that agents' notes and tool output have them. */
export interface Planted {
  rule: string
  /** The kind of place: `env`, `json`, `prose`, … */
  place: string
  text: string
  secret: string
}

/** How a service's secret is called: words, and the same in the spellings of variables. */
interface Name {
  words: string
  upper: string
  snake: string
  kebab: string
  camel: string
  pascal: string
}

type Place = readonly [place: string, write: (secret: string, name: Name) => string]

const NAMED_PLACES: readonly Place[] = [
  ['env', (secret, { upper }) => `NODE_ENV=production\n${upper}=${secret}\nPORT=8080\n`],
  ['export', (secret, { upper }) => `$ export ${upper}="${secret}"\n$ npm run deploy`],
  ['ini', (secret, { snake }) => `[default]\nregion = eu-west-1\n${snake} = ${secret}\n`],
  ['yaml', (secret, { snake }) => `services:\n  api:\n    ${snake}: ${secret}\n    replicas: 2\n`],
  ['yaml', (secret, { snake }) => `env:\n  - ${snake}: '${secret}'\n`],
  ['json', (secret, { snake }) => `{\n  "region": "eu",\n  "${snake}": "${secret}",\n  "retries": 3\n}`],
  ['json', (secret, { camel }) => `{"status":"ok","${camel}":"${secret}","ttl":3600}`],
  ['escaped json', (secret, { upper }) => `{"file":"app.env","body":"${upper}=\\"${secret}\\"\\nDEBUG=true"}`],
  ['escaped json', (secret, { camel }) => `"arguments":"{\\"${camel}\\":\\"${secret}\\",\\"limit\\":10}"`],
  ['code', (secret, { camel }) => `const ${camel} = '${secret}'\nawait connect(${camel})`],
  ['code', (secret, { pascal }) => `string ${pascal} = "${secret}";`],
  ['code', (secret, { camel }) => `${camel} := \`${secret}\``],
  ['code', (secret, { upper }) => `System.setProperty("${upper}", "${secret}");`],
  ['code', (secret, { snake }) => `  "${snake}" => "${secret}",`],
  ['xml', (secret, { camel }) => `<config>\n  <${camel}>${secret}</${camel}>\n</config>`],
  ['log', (secret, { snake }) => `2026-02-01T10:04:11Z DEBUG client ready ${snake}=${secret} retries=3`],
  ['flag', (secret, { kebab }) => `deploy --${kebab} ${secret} --region eu`],
  ['flag', (secret, { kebab }) => `deploy --${kebab}=${secret} --region eu`],
  ['url', (secret, { snake }) => `GET https://api.example.com/v2/items?page=2&${snake}=${encodeURI(secret)}&limit=5`],
  ['prose', (secret, { words }) => `The ${words} is ${secret}, please keep it safe.`],
  ['prose', (secret, { words }) => `Sure! My ${words}: ${secret}`],
  ['prose', (secret, { words }) => `I rotated the ${words} to \`${secret}\` this morning.`],
  ['prose', (secret, { words }) => `- **${words}**: \`${secret}\`\n- region: eu`],
]

const BARE_PLACES: readonly Place[] = [
  ['bare', (secret) => secret],
  ['bare', (secret) => `Use ${secret} for the staging box.`],
  ['bare', (secret) => `Ada wrote:\n\n\`\`\`\n${secret}\n\`\`\`\nand it worked.`],
  ['bare', (secret) => `| staging | ${secret} | Ben |`],
  ['bare', (secret) => `["eu","${secret}",12]`],
  ['bare', (secret) => `(it was "${secret}", I think)`],
]

/** What a service's secret is called where the rule's own id is not a name. */
const ENDINGS = ['token', 'api-key', 'secret', 'access-token', 'secret-key', 'auth-token'] as const
/** Words of an id that tell versions of a rule apart, no name of anything. */
const VERSION = /-(?:v2|routable|long-lived|legacy|rrt|ptt|personnal)\b/g
const ID_ENDS_IN_SECRET = /-(?:token|key|secret|password)$/

/** Plants secrets of a rule in all its places, `rounds` times, each time others. */
export function plantSecrets(rule: ScannerRule, rounds: number, random: () => number): Planted[] {
  const own = OWN_PLACES[rule.id]
  if (own) return Array.from({ length: rounds * OWN_ROUNDS }, () => ({ rule: rule.id, ...own(random) }))
  const planted: Planted[] = []
  for (let round = 0; round < rounds; round += 1) {
    const places = [...NAMED_PLACES, ...BARE_PLACES]
    const secrets = drawSecrets(rule, places.length, random)
    for (const [index, [place, write]] of places.entries()) {
      const secret = secrets[index] ?? ''
      if (place === 'bare' && needsName(rule, secret)) continue
      planted.push({ rule: rule.id, place, secret, text: write(secret, nameOf(rule, index + round)) })
    }
  }
  return planted
}

function nameOf({ id }: ScannerRule, turn: number): Name {
  const plain = id.replace(VERSION, '')
  const service = plain.split('-').slice(0, 1).join('-')
  const kebab =
    turn % 2 === 0 && ID_ENDS_IN_SECRET.test(plain)
      ? plain
      : `${service}-${ENDINGS[Math.floor(turn / 2) % ENDINGS.length]}`
  const parts = kebab.split('-')
  const pascal = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('')
  return {
    words: parts.join(' '),
    upper: parts.join('_').toUpperCase(),
    snake: parts.join('_'),
    kebab,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
  }
}

/** Texts of a rule with places of its own, a round. */
const OWN_ROUNDS = 12
const DASHES = '-'.repeat(5)
const KEY_NAMES = ['RSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', 'DSA ', '']

/** Rules that know a secret by all of its surroundings. */
const OWN_PLACES: Readonly<Record<string, (random: () => number) => Omit<Planted, 'rule'>>> = {
  'private-key': (random) => {
    const secret = drawFrom('[A-Za-z0-9+/]{64}', random)
    const name = KEY_NAMES[Math.floor(random() * KEY_NAMES.length)] ?? ''
    const lines = [`${DASHES}BEGIN ${name}PRIVATE KEY${DASHES}`, drawFrom('[A-Za-z0-9+/]{64}', random), secret]
    const whole = [...lines, drawFrom('[A-Za-z0-9+/]{24}', random), `${DASHES}END ${name}PRIVATE KEY${DASHES}`]
    if (random() < 0.5) return { place: 'pem', secret, text: `$ cat key.pem\n${whole.join('\n')}\n$ exit` }
    return { place: 'pem in json', secret, text: `{"type":"service_account","private_key":"${whole.join('\\n')}\\n"}` }
  },
  'curl-auth-header': (random) => {
    const scheme = ['Bearer ', 'Token ', 'Basic ', ''][Math.floor(random() * 4)] ?? ''
    const header = random() < 0.3 ? 'X-Api-Key: ' : `Authorization: ${scheme}`
    const secret = drawFrom('[A-Za-z0-9+/]{24,40}', random)
    const quote = random() < 0.5 ? '"' : "'"
    return { place: 'curl', secret, text: `curl -s -H ${quote}${header}${secret}${quote} https://api.example.com/v1` }
  },
  'curl-auth-user': (random) => {
    const secret = drawFrom('[A-Za-z0-9$@.-]{8,20}', random)
    const flag = random() < 0.5 ? '-u ' : '--user '
    return { place: 'curl', secret, text: `curl -sf ${flag}'ada:${secret}' https://api.example.com/v1` }
  },
  'kubernetes-secret-yaml': (random) => {
    const secret = drawFrom('[A-Za-z0-9+/]{24,60}={0,2}', random)
    const key = ['password', 'tls.key', 'dsn', 'config'][Math.floor(random() * 4)] ?? ''
    const text = `apiVersion: v1\nkind: Secret\nmetadata:\n  name: weir-db\ntype: Opaque\ndata:\n  ${key}: ${secret}\n`
    return { place: 'manifest', secret, text }
  },
  'freemius-secret-key': (random) => {
    const secret = drawFrom('sk_[A-Za-z0-9!?#%&*+~^@-]{29}', random)
    return { place: 'code', secret, text: `$config = array(\n  'secret_key' => '${secret}',\n);` }
  },
  'nuget-config-password': (random) => {
    const secret = drawFrom('[A-Za-z0-9!?#%*+~-]{10,24}', random)
    const key = random() < 0.5 ? 'ClearTextPassword' : 'Password'
    return { place: 'xml', secret, text: `<add key="Username" value="ada" />\n<add key="${key}" value="${secret}" />` }
  },
  'sidekiq-sensitive-url': (random) => {
    const secret = drawFrom('[a-f0-9]{8}', random)
    const user = drawFrom('[a-f0-9]{8}', random)
    return { place: 'url', secret, text: `source "https://${user}:${secret}@gems.contribsys.com/" do` }
  },
  'sidekiq-secret': (random) => {
    const secret = drawFrom('[a-f0-9]{8}:[a-f0-9]{8}', random)
    const text = `export BUNDLE_${random() < 0.5 ? 'ENTERPRISE' : 'GEMS'}__CONTRIBSYS__COM=${secret}`
    return { place: 'export', secret, text }
  },
  'hashicorp-tf-password': (random) => {
    const secret = drawFrom('[a-z0-9=_-]{8,20}', random)
    const name = random() < 0.5 ? 'administrator_login_password' : 'password'
    return { place: 'terraform', secret, text: `resource "azurerm_sql_server" "weir" {\n  ${name} = "${secret}"\n}` }
  },
}
