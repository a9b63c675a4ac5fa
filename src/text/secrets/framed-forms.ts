import { patternForm, type SecretForm } from './secret-form.ts'

type Row = readonly [kind: string, hints: string | readonly string[], pattern: RegExp]

/** Names of parameters whose value opens something. */
const QUERY_NAMES = [
  ...['access_token', 'refresh_token', 'id_token', 'auth_token', 'session_token', 'token', 'client_secret', 'secret'],
  ...['api_key', 'apikey', 'api-key', 'auth_key', 'authkey', 'app_key', 'appkey', 'subscription-key', 'key'],
  ...['sig', 'signature', 'x-amz-signature', 'x-amz-security-token', 'x-goog-signature'],
  ...['password', 'passwd', 'pwd'],
]
const QUERY_HINTS = QUERY_NAMES.flatMap((name) => [`?${name}=`, `&${name}=`])

const HEADERS: readonly Row[] = [
  [
    'authorization',
    'authorization',
    /(?<before>authorization(?:(?:\\{0,4}["'])?[ \t]{0,4}[:=]|\\{0,4}["'][ \t]{0,4},(?=[ \t]{0,4}["'`](?:bearer|basic|token) ))[ \t]{0,4}(?:\\{0,4}["'`])?(?:(?:bearer|basic|token|digest|bot|apikey|key|negotiate|aws|hawk|ssws|zoho-oauthtoken|genie\w{0,4})[ \t]{1,4})?)(?=[\w.~+/=:@-]{0,200}\d|[\w.~+/=-]{20})[\w.~+/=:@-]{8,}/iy,
  ],
  ['authorization', 'bearer', /(?<before>bearer[ \t]{1,4})(?=[\w.~+/=-]{0,200}\d|\w{32})[\w.~+/=-]{16,}/iy],
  [
    'authorization',
    'basic ',
    /(?<before>basic[ \t]{1,4})(?=[a-z0-9+/]{0,200}[\d=])(?=[A-Za-z0-9+/]{0,200}[A-Z])[a-z0-9+/]{12,}={0,2}(?![\w-])/iy,
  ],
  [
    'cookie',
    'cookie',
    /(?<before>cookie(?:\\{0,4}["'])?(?:[ \t]{0,4}[:=]|[ \t](?=["']))[ \t]{0,4}(?:\\{0,4}["'])?[\w.-]{1,60}=)(?!\[redacted)(?=[^\n'"\\]{12})[^\s;'"\\]{4,4000}(?:;[ \t]?[^\s;'"\\=]{1,60}=[^\s;'"\\]{0,4000}){0,100}/iy,
  ],
]

const ADDRESSES: readonly Row[] = [
  [
    'credentials-in-url',
    '://',
    /(?<before>:\/\/[^\s:/?#@'"<>`\\]{0,100}:)(?!\[redacted|\$|<|\{|\*)[^\s/'"<>`\\]{1,200}(?=@)/y,
  ],
  ['credentials-in-url', '://', /(?<before>:\/\/)(?=[\w-]{0,200}\d)[\w-]{20,200}(?=(?::[\w-]{0,40})?@)/y],
  [
    'credentials-in-url',
    'oracle:thin:',
    /(?<before>oracle:thin:[\w$#]{1,60}\/)(?!\[redacted|\$|<|\{)[^\s@'"]{3,200}(?=@)/iy,
  ],
  [
    'secret-in-query',
    QUERY_HINTS,
    /(?<before>[?&][\w-]{1,30}=)(?!\[redacted|\$|<|\{|\*|your|xxx)(?=[^\s&#'"<>`\\)\]]{0,200}[\d%])[^\s&#'"<>`\\)\]]{8,}/iy,
  ],
  ['npm-token', '_authtoken', /(?<before>_authToken[ \t]{0,4}=[ \t]{0,4}"?)(?!\[redacted|\$)[^\s"]{8,400}/iy],
  ['npm-token', '_auth', /(?<before>(?<!\w)_auth[ \t]{0,4}=[ \t]{0,4}"?)(?!\[redacted|\$)[A-Za-z0-9+/=]{8,400}/iy],
  ['password', ':5432:', /(?<before>:5432:[\w*-]{1,60}:[\w*-]{1,60}:)(?!\[redacted|\$)[^\s:]{3,200}/y],
  [
    'password',
    'login',
    /(?<before>\blogin\s{1,8}[^\s:="']{1,80}\s{1,8}password\s{1,8})(?!\[redacted|\$|\{|<)[^\s"']{3,200}/iy,
  ],
  [
    'password',
    'wifi:',
    /(?<before>\bWIFI:(?:[TSHRAI]:[^;\n]{0,64};){0,5}P:)(?!\[redacted)(?:[^;\\\n]|\\.){4,80}(?=;)/iy,
  ],
  ['docker-auth', '"auth"', /(?<before>"auth"[ \t]{0,4}:[ \t]{0,4}")[A-Za-z0-9+/]{12,}={0,2}(?=")/y],
  [
    'ssh-password',
    'ansible_',
    /(?<before>ansible_(?:ssh_pass|become_pass|sudo_pass)[ \t]{0,4}[=:][ \t]{0,4}["']?)(?!\[redacted|\$|\{)[^\s"']{3,200}/iy,
  ],
  [
    'sidekiq-key',
    'contribsys__com',
    /(?<before>contribsys__com["']?[ \t]{0,4}[=:][ \t]{0,4}["']?)[a-f0-9]{8}:[a-f0-9]{8}/iy,
  ],
]

/** A value of the command line: quoted, or up to the next space; the quotes stay. */
const VALUE = String.raw`(?:(?<=")(?!\[redacted|\$)[^"\n]{1,200}|(?<=')(?!\[redacted|\$)[^'\n]{1,200}|(?!\[redacted|\$|<|["'])[^\s"'|;&<>]{3,200})`
const BEFORE_VALUE = String.raw`(?:\\{0,4}["'])?`

/** Programs that take a password by a short flag: what is called, what must follow, and the flag with what may stand after it. */
const COMMANDS: readonly (readonly [hints: string | readonly string[], command: string, flag: string])[] = [
  ['sshpass', String.raw`sshpass\b`, String.raw`-p[ \t]{0,4}`],
  [['mysql', 'mariadb'], String.raw`(?:mysql|mariadb)[\w-]{0,20}`, '-p(?=\\S)'],
  [['mongo'], 'mongo(?:sh|dump|restore|export|import)?', String.raw`-p[ \t]{1,4}`],
  [
    ['docker', 'podman', 'helm', 'nerdctl', 'buildah', 'oras'],
    String.raw`\w{4,8}[^\n|;&]{0,60}\blogin`,
    String.raw`-p[ \t]{1,4}`,
  ],
  [['redis-cli'], 'redis-cli', String.raw`-a[ \t]{1,4}`],
  [['ldapsearch', 'ldapmodify', 'ldapadd'], String.raw`ldap\w{3,6}`, String.raw`-w[ \t]{1,4}`],
  [['sqlcmd', 'bcp'], '(?:sqlcmd|bcp)', String.raw`-P[ \t]{1,4}`],
  [['unzip', 'zip'], '(?:un)?zip', String.raw`-P[ \t]{0,4}`],
  [['7z'], '7z[ar]?', '-p(?=\\S)'],
  [
    ['curl', 'wget', 'http '],
    String.raw`(?:curl|wget|http)\b`,
    String.raw`(?:-u|--user|--proxy-user|-a|--auth)[ =]?(?:\\{0,4}["'])?[^\s:'"]{1,80}:`,
  ],
  [['smbclient'], 'smbclient', String.raw`-U[ \t]{0,4}["']?[^\s%'"]{1,60}%`],
]

const COMMAND_ROWS: readonly Row[] = COMMANDS.map(([hints, command, flag]) => [
  command.startsWith('(?:curl') ? 'basic-auth' : 'password',
  hints,
  new RegExp(String.raw`(?<before>(?<![\w-])${command}[^\n|]{0,300}?[ \t]${flag}${BEFORE_VALUE})${VALUE}`, 'y'),
])

const OTHER_COMMANDS: readonly Row[] = [
  [
    'password',
    ['identified by', 'identified with'],
    /(?<before>identified (?:with [\w'"]{1,40} )?by (?:password )?(?<quote>["']))(?!\[redacted)[^"'\n]{3,200}/iy,
  ],
  ['password', 'password ', /(?<before>(?<=with )password ["'])(?!\[redacted)[^"'\n]{3,200}/iy],
  [
    'password',
    ['pass:', '-passin', '-passout'],
    /(?<before>(?<=-pass(?:in|out)?[ \t]{1,4}["']?)pass:)(?!\[redacted|\$)[^\s"']{3,200}/iy,
  ],
  [
    'password',
    'echo ',
    /(?<before>echo (?:-\w )?["']?[\w.-]{1,40}:)(?!\[redacted|\$)[^\s"'|]{3,200}(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd)/iy,
  ],
  ['password', 'net user ', /(?<before>net user [\w.-]{1,40} )(?!\[redacted|\/)[^\s/]{4,100}(?= \/add)/iy],
]

/** Secrets known by what stands around them: headers, addresses, commands. */
export const FRAMED_FORMS: readonly SecretForm[] = [...HEADERS, ...ADDRESSES, ...COMMAND_ROWS, ...OTHER_COMMANDS].map(
  ([kind, hints, pattern]) => patternForm(kind, hints, pattern),
)
