import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets, SECRET_FORMS } from './redact.ts'

const HEX = '0123456789abcdef'
const ALNUM = 'aB3dE5gH7jK9mN1pQ4sT6vW8yZ0cF2'

/** `length` characters of an alphabet, the same each time: put together here so that no scanner takes this file for a leak. */
function of(alphabet: string, length: number): string {
  return Array.from({ length }, (_, i) => alphabet[(i * 7 + 3) % alphabet.length]).join('')
}

const hex = (length: number): string => of(HEX, length)
const mixed = (length: number): string => of(ALNUM, length)

/** One example of every form: its kind, and the secret itself. */
const TOKENS: ReadonlyArray<readonly [kind: string, secret: string]> = [
  ['aws-key', `AKIA${'Q'.repeat(16)}`],
  ['aws-key', `ASIA${of('ABCDEFGH234567', 16)}`],
  ['github-token', `ghp_${'x'.repeat(36)}`],
  ['github-token', `gho_${mixed(36)}`],
  ['github-token', `github_pat_${mixed(22)}_${mixed(59)}`],
  ['gitlab-token', `glpat-${mixed(20)}`],
  ['slack-token', `xoxb-${'12345'.repeat(2)}-${mixed(24)}`],
  ['slack-token', `xapp-1-${mixed(40)}`],
  ['slack-webhook', `https://hooks.slack.com/services/T${mixed(8)}/B${mixed(8)}/${mixed(24)}`],
  ['discord-webhook', `https://discord.com/api/webhooks/${'1'.repeat(18)}/${mixed(68)}`],
  ['teams-webhook', `https://acme.webhook.office.com/webhookb2/${mixed(60)}`],
  ['discord-token', `M${mixed(25)}.${mixed(6)}.${mixed(38)}`],
  ['telegram-token', `${'123456789'}:AA${mixed(33)}`],
  ['anthropic-key', `sk-ant-api03-${mixed(60)}`],
  ['openrouter-key', `sk-or-v1-${hex(64)}`],
  ['openai-key', `sk-proj-${mixed(48)}`],
  ['openai-key', `sk-${mixed(48)}`],
  ['google-key', `AIza${mixed(35)}`],
  ['google-token', `ya29.${mixed(60)}`],
  ['google-token', `1//0${mixed(40)}`],
  ['google-client-secret', `GOCSPX-${mixed(28)}`],
  ['stripe-key', `sk_live_${mixed(24)}`],
  ['stripe-key', `rk_test_${mixed(24)}`],
  ['webhook-secret', `whsec_${mixed(32)}`],
  ['twilio-key', `SK${hex(32)}`],
  ['sendgrid-key', `SG.${mixed(22)}.${mixed(43)}`],
  ['mailgun-key', `key-${hex(32)}`],
  ['mailchimp-key', `${hex(32)}-us12`],
  ['brevo-key', `xkeysib-${hex(64)}-${mixed(16)}`],
  ['npm-token', `npm_${mixed(36)}`],
  ['pypi-token', `pypi-${mixed(80)}`],
  ['rubygems-key', `rubygems_${hex(48)}`],
  ['docker-token', `dckr_pat_${mixed(27)}`],
  ['huggingface-token', `hf_${mixed(34)}`],
  ['replicate-token', `r8_${mixed(37)}`],
  ['groq-key', `gsk_${mixed(52)}`],
  ['perplexity-key', `pplx-${mixed(48)}`],
  ['xai-key', `xai-${mixed(80)}`],
  ['tavily-key', `tvly-${mixed(32)}`],
  ['voyage-key', `pa-${mixed(43)}`],
  ['digitalocean-token', `dop_v1_${hex(64)}`],
  ['heroku-key', `HRKU-${mixed(40)}`],
  ['fly-token', `fo1_${mixed(43)}`],
  ['fly-token', `fm2_${mixed(120)}`],
  ['netlify-token', `nfp_${mixed(36)}`],
  ['cloudflare-key', `v1.0-${hex(24)}-${hex(146)}`],
  ['databricks-token', `dapi${hex(32)}`],
  ['shopify-token', `shpat_${hex(32)}`],
  ['square-token', `sq0atp-${mixed(22)}`],
  ['braintree-token', `access_token$production$${of('abcdef012345', 16)}$${hex(32)}`],
  ['linear-key', `lin_api_${mixed(40)}`],
  ['notion-token', `ntn_${mixed(46)}`],
  ['notion-token', `secret_${mixed(43)}`],
  ['airtable-token', `pat${mixed(14)}.${hex(64)}`],
  ['atlassian-token', `ATATT3${mixed(180)}`],
  ['bitbucket-token', `ATBB${mixed(32)}`],
  ['figma-token', `figd_${mixed(40)}`],
  ['dropbox-token', `sl.${mixed(130)}`],
  ['grafana-token', `glsa_${mixed(32)}_${hex(8)}`],
  ['newrelic-key', `NRAK-${of('ABCDEFGHJK23456789', 27)}`],
  ['sentry-token', `sntrys_${mixed(60)}`],
  ['vault-token', `hvs.${mixed(90)}`],
  ['terraform-token', `${mixed(14)}.atlasv1.${mixed(67)}`],
  ['pulumi-token', `pul-${hex(40)}`],
  ['doppler-token', `dp.pt.${mixed(43)}`],
  ['postman-key', `PMAK-${hex(24)}-${hex(34)}`],
  ['supabase-key', `sbp_${hex(40)}`],
  ['planetscale-token', `pscale_tkn_${mixed(43)}`],
  ['tailscale-key', `tskey-auth-${mixed(17)}-${mixed(32)}`],
  ['age-key', `AGE-SECRET-KEY-1${of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)}`],
  ['onepassword-token', `ops_eyJ${mixed(250)}`],
  ['jwt', `eyJ${mixed(20)}.eyJ${mixed(60)}.${mixed(43)}`],
  ['alibaba-key', `LTAI${mixed(20)}`],
  ['tencent-key', `AKID${mixed(32)}`],
  ['yandex-key', `AQVN${mixed(36)}`],
  ['vercel-token', `vcp_${mixed(30)}`],
  ['scalingo-token', `tk-us-${mixed(48)}`],
  ['ibm-key', `ibmcloud_api_key_${mixed(40)}`],
  ['render-key', `rnd_${mixed(30)}`],
  ['openshift-token', `sha256~${mixed(43)}`],
  ['gitea-token', `gta_${hex(40)}`],
  ['sourcegraph-token', `sgp_${hex(40)}`],
  ['nuget-key', `oy2${of('abcdefghij234567', 43)}`],
  ['crates-token', `cio${mixed(32)}`],
  ['clojars-token', `CLOJARS_${of('abcdef0123456789', 60)}`],
  ['artifactory-key', `AKCp${mixed(69)}`],
  ['circleci-token', `CCIPAT_${mixed(40)}`],
  ['buildkite-token', `bkua_${hex(40)}`],
  ['harness-key', `pat.${mixed(22)}.${mixed(24)}.${mixed(20)}`],
  ['octopus-key', `API-${of('ABCDEFGH23456789', 26)}`],
  ['infracost-key', `ico-${mixed(32)}`],
  ['prefect-key', `pnu_${mixed(36)}`],
  ['deno-token', `ddp_${mixed(36)}`],
  ['contentful-token', `CFPAT-${mixed(43)}`],
  ['infisical-token', `st.${hex(24)}.${hex(32)}.${hex(32)}`],
  [
    'onepassword-key',
    `A3-${of('ABC234', 6)}-${of('ABC234', 11)}-${of('ABC234', 5)}-${of('BCD345', 5)}-${of('CDE456', 5)}`,
  ],
  ['netbird-token', `nbp_${mixed(36)}`],
  ['defined-token', `dnkey-${mixed(26)}-${mixed(52)}`],
  ['langsmith-key', `lsv2_pt_${hex(32)}_${hex(10)}`],
  ['langfuse-key', `sk-lf-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['firecrawl-key', `fc-${hex(32)}`],
  ['jina-key', `jina_${mixed(60)}`],
  ['pinecone-key', `pcsk_${mixed(60)}`],
  ['nvidia-key', `nvapi-${mixed(60)}`],
  ['elevenlabs-key', `sk_${hex(48)}`],
  ['fireworks-key', `fw_${mixed(24)}`],
  ['together-key', `tgp_v1_${mixed(40)}`],
  ['cerebras-key', `csk-${of('abcdef0123456789', 48)}`],
  ['wandb-key', `wandb_v1_${mixed(40)}`],
  ['e2b-key', `e2b_${hex(40)}`],
  ['mandrill-key', `md-${mixed(22)}`],
  ['resend-key', `re_${mixed(8)}_${mixed(24)}`],
  ['klaviyo-key', `pk_${hex(34)}`],
  ['intra42-secret', `s-s4t2ud-${hex(64)}`],
  ['facebook-token', `EAAC${mixed(120)}`],
  ['twitter-token', `${'A'.repeat(22)}${mixed(40)}%3D${mixed(40)}`],
  ['linkedin-token', `WPL_AP1.${mixed(16)}`],
  ['instagram-token', `IGQV${mixed(100)}`],
  ['twitch-token', `oauth:${of('abcdef0123456789', 30)}`],
  ['zapier-webhook', `hooks.zapier.com/hooks/catch/${'1234567'}/${mixed(7)}`],
  ['flutterwave-key', `FLWSECK_TEST-${hex(32)}-X`],
  ['razorpay-key', `rzp_live_${mixed(14)}`],
  ['pagarme-key', `ak_live_${mixed(30)}`],
  ['ramp-secret', `ramp_sec_${mixed(48)}`],
  ['robinhood-key', `rh-api-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['plaid-token', `access-sandbox-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['easypost-key', `EZAK${mixed(54)}`],
  ['shippo-token', `shippo_live_${hex(40)}`],
  ['duffel-token', `duffel_live_${mixed(43)}`],
  ['lob-key', `live_${hex(35)}`],
  ['gocardless-token', `live_${mixed(40)}`],
  ['polar-token', `polar_oat_${mixed(30)}`],
  ['adyen-key', `AQE${mixed(100)}`],
  ['neon-key', `napi_${of('abcdef0123456789', 64)}`],
  ['clickhouse-key', `4b1d${mixed(38)}`],
  ['aiven-token', `AVNS_${mixed(18)}`],
  ['readme-key', `rdme_${of('abcdef0123456789', 70)}`],
  ['typeform-token', `tfp_${mixed(44)}`],
  ['hubspot-token', `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['frameio-token', `fio-u-${mixed(64)}`],
  ['adobe-secret', `p8e-${mixed(32)}`],
  ['adafruit-key', `aio_${mixed(28)}`],
  ['apify-token', `apify_api_${mixed(36)}`],
  ['teamwork-token', `tkn.v1_${mixed(71)}=`],
  ['maxmind-key', `${mixed(6)}_${mixed(29)}_mmk`],
  ['mapbox-token', `sk.${mixed(60)}.${mixed(22)}`],
  ['settlemint-token', `sm_pat_${mixed(16)}`],
  ['authress-key', `sc_${mixed(10)}.${mixed(5)}.acc-${mixed(12)}.${mixed(40)}`],
  ['dynatrace-token', `dt0c01.${mixed(24)}.${mixed(64)}`],
  ['datadog-key', `ddapp_${mixed(34)}`],
  ['posthog-key', `phx_${mixed(43)}`],
  ['honeycomb-key', `hcaik_${of('abcdef0123456789', 58)}`],
  ['sonar-token', `squ_${hex(40)}`],
  ['launchdarkly-key', `sdk-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ['password-hash', `$2b$12$${mixed(53)}`],
  ['azure-key', `${mixed(42)}+ACR${mixed(6)}`],
]

/** Secrets known by their surroundings: what stands before, the secret, what stands after. */
const FRAMED: ReadonlyArray<readonly [kind: string, before: string, secret: string, after: string]> = [
  ['authorization', 'Authorization: Bearer ', 'e'.repeat(40), ' sent'],
  ['authorization', '"Authorization": "Basic ', `${mixed(24)}==`, '"'],
  ['authorization', 'authorization: ', mixed(20), ''],
  ['authorization', "-H 'bearer ", mixed(30), "'"],
  ['credentials-in-url', 'postgres://heron:', 'p4ss-w0rd', '@db.example/weir'],
  ['credentials-in-url', 'git clone https://ines:', mixed(12), '@git.example/x.git'],
  ['credentials-in-url', 'redis://:', 'letmein', '@cache:6379'],
  ['secret-in-query', 'https://x.example/a?id=7&access_token=', mixed(24), '&page=2'],
  ['secret-in-query', 'https://x.example/blob?sv=1&sig=', 'abcdefghijklmnop%3D', ''],
  ['cookie', 'Cookie: session=', mixed(32), ''],
  ['azure-key', 'AccountName=a;AccountKey=', `${mixed(86)}==`, ';EndpointSuffix=x'],
  ['basic-auth', 'curl -s -u ines:', 'hunter2', ' https://x.example'],
  ['password', 'sshpass -p ', 'hunter2', ' ssh box'],
  ['npm-token', '//registry.example/:_authToken=', mixed(20), ''],
  ['password', 'DB_PASSWORD=', 'letmein', ''],
  ['password', 'password: "', 'Tr0ub4dor&3', '"'],
  ['password', '{"passwd":"', 'hunter2', '"}'],
  ['password', 'mysql --password ', 'S3cretS3cret', ' weir'],
  ['password', 'Server=db;Password=', 'hunter2', ';Database=weir'],
  ['secret', 'export DEPLOY_TOKEN=', mixed(20), ''],
  ['secret', 'client_secret = ', mixed(32), ''],
  ['secret', "apiKey: '", hex(32), "',"],
  ['secret', 'aws_secret_access_key = ', `${mixed(20)}/${mixed(19)}`, ''],
  ['secret', 'X-Api-Key: ', mixed(24), ''],
  ['password', 'the password for the weir is ', 'hunter2', ', says Ada'],
  ['password', 'Das Passwort lautet ', 'Geheim12', '.'],
  ['password', 'Le mot de passe est ', 'Soleil24', '.'],
  ['password', 'La contraseña es ', 'Gato1234', '.'],
  ['password', 'A senha é ', 'Casa9876', '.'],
  ['password', 'Пароль от сервера: ', 'qwe123RTY', ''],
  ['password', '密码是', 'abc12345', '。'],
  ['password', 'パスワードは「', 'hunter2x', '」です'],
  ['password', '비밀번호는 ', 'hunter22', ' 입니다'],
  ['passphrase', 'passphrase: ', 'correct horse battery staple', ''],
  ['pin', 'the door code is ', '4821', '.'],
  ['password', "mysql -u root -p'", 'hunter2', "' weir"],
  ['password', 'docker login -u ada -p ', 'hunter22', ' registry.example'],
  ['password', 'redis-cli -h cache -a ', 's3cretpw', ' ping'],
  ['password', 'machine api.example login ada password ', 'hunter2', ''],
  ['password', "CREATE USER ada IDENTIFIED BY '", 'hunter2', "'"],
  ['password', 'echo "ada:', 'hunter2', '" | sudo chpasswd'],
  ['password', '<password>', 'hunter2', '</password>'],
  ['docker-auth', '"auths":{"r.example":{"auth":"', `${mixed(16)}=`, '"}}'],
  ['ssh-password', 'ansible_ssh_pass=', 'hunter2', ''],
  ['sidekiq-key', 'BUNDLE_GEMS__CONTRIBSYS__COM=', `${hex(8)}:${hex(8)}`, ''],
  ['secret', '{"name":"API_TOKEN","value":"', mixed(18), '"}'],
  ['secret', '- name: API_TOKEN\n  value: ', mixed(18), ''],
  ['secret', 'kind: Secret\nmetadata:\n  name: weir\ndata:\n  dsn: ', mixed(24), '\n'],
  ['secret', '"arguments":"{\\"apiKey\\":\\"', mixed(24), '\\"}"'],
  ['secret', 'System.setProperty("DEPLOY_TOKEN", "', mixed(24), '");'],
  ['secret', 'deploy --api-key ', mixed(24), ' --region eu'],
]

describe('redactSecrets', () => {
  it.each(TOKENS)('knows a %s anywhere in a text', (kind, secret) => {
    for (const text of [`use ${secret} now`, `"${secret}"`, `key=${secret}\nnext`, `(${secret}).`, secret]) {
      const { text: clean, found } = redactSecrets(text)
      expect(clean).not.toContain(secret.slice(4, -4))
      expect(clean).toContain('[redacted:')
      expect(Object.values(found)).not.toContain(undefined)
    }
    expect(redactSecrets(`use ${secret} now`)).toEqual({ text: `use [redacted:${kind}] now`, found: { [kind]: 1 } })
  })

  it.each(FRAMED)('finds a %s after %j and keeps the words around it', (kind, before, secret, after) => {
    expect(redactSecrets(`${before}${secret}${after}`)).toEqual({
      text: `${before}[redacted:${kind}]${after}`,
      found: { [kind]: 1 },
    })
  })

  it('has an example here of every form in its table', () => {
    const shown = new Set([...TOKENS.map(([kind]) => kind), ...FRAMED.map(([kind]) => kind), 'private-key'])
    expect(SECRET_FORMS.flatMap(({ kinds }) => kinds).filter((kind) => !shown.has(kind))).toEqual([])
    expect(new Set(SECRET_FORMS.flatMap(({ kinds }) => kinds)).size).toBeGreaterThanOrEqual(40)
  })

  it('takes a private key out whole and leaves its lines', () => {
    const dashes = '-'.repeat(5)
    const body = `${mixed(64)}\n${mixed(64)}\n${mixed(20)}`
    for (const name of ['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'PGP PRIVATE KEY BLOCK']) {
      const key = `${dashes}BEGIN ${name}${dashes}\n${body}\n${dashes}END ${name}${dashes}`
      const { text, found } = redactSecrets(`before\n${key}\nafter`)
      expect(text).toBe('before\n[redacted:private-key]\n\n\n\n\nafter')
      expect(found).toEqual({ 'private-key': 1 })
    }
    const cut = `${dashes}BEGIN PRIVATE KEY${dashes}\n${body}`
    expect(redactSecrets(cut).text).not.toContain(mixed(20))
  })

  it.each([
    `commit ${hex(40)} on main`,
    `sha256:${hex(64)}`,
    'id 50a497c8-bb60-4c0e-8a92-5ce9543c2e0c',
    '/home/user/.ssh/id_rsa and C:\\keys\\token.txt',
    'max_tokens: 4096, tokens=1200, token_type: bearer, tokenizer: porter',
    'password: required',
    'the password is in the vault; ask for the token',
    'token: string, password?: string',
    'password = hashed_password',
    'User(name=name, password=hashed_password)',
    "password = request.form['password']",
    'api_key = os.environ["API_KEY"]',
    'API_KEY=$' + '{API_KEY} PASSWORD=$PASSWORD TOKEN=<your token>',
    'password=**** and secret=xxxxxxxx',
    'private_key: /etc/keys/server.pem',
    'https://x.example/page?id=12345678901234567890',
    'http://localhost:8080/a@b',
    'mail ines@host.example: the token ring',
    'Authorization: required for all calls',
    'the bearer of good news',
    'sk-learn and sk-button-primary-large are no keys',
    'key: value, keyboard=qwertz1234',
    'ran 2026-01-05T10:00:01.000Z in 1234567890123 ms',
    'PASSWORD=',
    'monkey: bananas1234567890ab and bypass: abcdef12',
    'next_page_token: CAESABCDEF1234567890',
    'public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAbcd',
    `"integrity": "sha512-${mixed(86)}=="`,
    '"id": "toolu_01A09q90qw90lq917835lq9"',
    'pass `debug=True` to it',
    'function hasEnhancedMethods(db) {',
    `x-request-id: ${hex(32)}`,
    'OPENAI_API_KEY=sk-your-key-here and TOKEN=xxxxxxxx',
    'apiKey: process.env.OPENAI_API_KEY',
    'private_key: Ed25519PrivateKey',
    'version: 1.22.333-beta.4',
  ])('leaves %j alone', (text) => {
    expect(redactSecrets(text)).toEqual({ text, found: {} })
  })

  it('counts each kind', () => {
    const text = `AKIA${'Q'.repeat(16)} AKIA${'Z'.repeat(16)} ghp_${'x'.repeat(36)}`
    expect(redactSecrets(text).found).toEqual({ 'aws-key': 2, 'github-token': 1 })
  })

  it('changes neither the number of lines nor its own result', () => {
    const piece = fc.oneof(
      fc.string({ maxLength: 15 }),
      fc.constantFrom(
        ...TOKENS.map(([, secret]) => secret),
        ...FRAMED.map((form) => form.slice(1).join('')),
        '\n',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join(' ')
        const once = redactSecrets(text).text
        expect(once.split('\n').length).toBe(text.split('\n').length)
        expect(redactSecrets(once).text).toBe(once)
      }),
      { numRuns: 300 },
    )
  })

  it.each(['eyJ', '-eyJ', '-----BEGIN PRIVATE KEY-----', 'password: ', 'a.', 'curl -u a', 'Bearer ', 'b:c@', '?key='])(
    'reads a megabyte of %j',
    (unit) => {
      // A backtracking pattern would not come to an end within the test's time.
      expect(redactSecrets(unit.repeat(Math.ceil(1_000_000 / unit.length))).text.length).toBeGreaterThan(0)
    },
  )
})
