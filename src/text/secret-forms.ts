/**
 * A form by which a secret is known. A match is replaced whole, except for the named groups `before` and `after`, which stay.
 * `hint` is a literal that every match contains, lower case: texts without it are not searched.
 */
export interface SecretForm {
  kind: string
  pattern: RegExp
  hint: string | readonly string[]
}

/** Keys and tokens that carry their maker's mark. Every pattern starts with a literal and is bounded or runs over one class only. */
const MARKED_FORMS: readonly SecretForm[] = [
  { kind: 'aws-key', hint: ['akia', 'asia', 'abia', 'acca'], pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { kind: 'github-token', hint: 'gh', pattern: /\bgh[pousr]_[A-Za-z0-9]{30,255}/g },
  { kind: 'github-token', hint: 'github_pat_', pattern: /\bgithub_pat_[A-Za-z0-9_]{22,255}/g },
  { kind: 'gitlab-token', hint: 'gl', pattern: /\bgl(?:pat|dt|rt|cbt|ptt|soat|ft|imt|agent)-[\w-]{20,200}/g },
  { kind: 'slack-token', hint: 'xox', pattern: /\bxox[abeoprs](?:\.xox[bp])?-[\w-]{10,300}/g },
  { kind: 'slack-token', hint: 'xapp-', pattern: /\bxapp-\d-[\w-]{10,300}/g },
  {
    kind: 'slack-webhook',
    hint: 'hooks.slack.com',
    pattern: /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{20,200}/g,
  },
  {
    kind: 'discord-webhook',
    hint: '/api/webhooks/',
    pattern: /https:\/\/(?:ptb\.|canary\.)?discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/[\w-]{40,100}/g,
  },
  {
    kind: 'teams-webhook',
    hint: 'webhook.office.com',
    pattern: /https:\/\/[\w-]{1,60}\.webhook\.office\.com\/webhookb2\/[\w@/-]{40,300}/g,
  },
  { kind: 'discord-token', hint: '.', pattern: /\b[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g },
  { kind: 'telegram-token', hint: ':aa', pattern: /\b\d{8,10}:AA[\w-]{32,34}/g },
  { kind: 'anthropic-key', hint: 'sk-ant-', pattern: /\bsk-ant-[\w-]{20,200}/g },
  { kind: 'openrouter-key', hint: 'sk-or-', pattern: /\bsk-or-v1-[\w-]{20,200}/g },
  { kind: 'openai-key', hint: 'sk-', pattern: /\bsk-(?:proj|svcacct|admin|None)-[\w-]{20,300}/g },
  { kind: 'openai-key', hint: 'sk-', pattern: /\bsk-[A-Za-z0-9]{32,100}\b/g },
  { kind: 'google-key', hint: 'aiza', pattern: /\bAIza[\w-]{35}/g },
  { kind: 'google-token', hint: 'ya29.', pattern: /(?<![\w-])ya29\.[\w-]{20,1000}/g },
  { kind: 'google-token', hint: '1//0', pattern: /\b1\/\/0[\w-]{30,300}/g },
  { kind: 'google-client-secret', hint: 'gocspx-', pattern: /\bGOCSPX-[\w-]{24,40}/g },
  { kind: 'stripe-key', hint: ['_live_', '_test_'], pattern: /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,250}/g },
  { kind: 'webhook-secret', hint: 'whsec_', pattern: /\bwhsec_[A-Za-z0-9+/=]{20,200}/g },
  { kind: 'twilio-key', hint: 'sk', pattern: /\bSK[0-9a-f]{32}\b/g },
  { kind: 'sendgrid-key', hint: 'sg.', pattern: /\bSG\.[\w-]{16,40}\.[\w-]{16,80}/g },
  { kind: 'mailgun-key', hint: 'key-', pattern: /\bkey-[0-9a-f]{32}\b/g },
  { kind: 'mailchimp-key', hint: '-us', pattern: /\b[0-9a-f]{32}-us\d{1,2}\b/g },
  { kind: 'brevo-key', hint: 'xkeysib-', pattern: /\bxkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}/g },
  { kind: 'npm-token', hint: 'npm_', pattern: /\bnpm_[A-Za-z0-9]{30,80}/g },
  { kind: 'pypi-token', hint: 'pypi-', pattern: /(?<![\w-])pypi-[\w-]{50,500}/g },
  { kind: 'rubygems-key', hint: 'rubygems_', pattern: /\brubygems_[0-9a-f]{48}\b/g },
  { kind: 'docker-token', hint: 'dckr_', pattern: /\bdckr_(?:pat|oat)_[\w-]{20,100}/g },
  { kind: 'huggingface-token', hint: 'hf_', pattern: /\bhf_[A-Za-z0-9]{30,60}/g },
  { kind: 'replicate-token', hint: 'r8_', pattern: /\br8_[A-Za-z0-9]{30,60}/g },
  { kind: 'groq-key', hint: 'gsk_', pattern: /\bgsk_[A-Za-z0-9]{40,80}/g },
  { kind: 'perplexity-key', hint: 'pplx-', pattern: /\bpplx-[A-Za-z0-9]{40,80}/g },
  { kind: 'xai-key', hint: 'xai-', pattern: /\bxai-[A-Za-z0-9]{60,120}/g },
  { kind: 'tavily-key', hint: 'tvly-', pattern: /\btvly-[\w-]{20,100}/g },
  { kind: 'voyage-key', hint: 'pa-', pattern: /\bpa-[\w-]{43}(?![\w-])/g },
  { kind: 'digitalocean-token', hint: '_v1_', pattern: /\bdo[opr]_v1_[a-f0-9]{64}\b/g },
  { kind: 'heroku-key', hint: 'hrku-', pattern: /\bHRKU-[\w-]{30,100}/g },
  { kind: 'fly-token', hint: 'fo1_', pattern: /\bfo1_[\w-]{40,60}/g },
  { kind: 'fly-token', hint: ['fm1', 'fm2'], pattern: /\bfm[12][ar]?_[\w+/=,-]{80,2000}/g },
  { kind: 'netlify-token', hint: 'nfp_', pattern: /\bnfp_[A-Za-z0-9]{30,60}/g },
  { kind: 'cloudflare-key', hint: 'v1.0-', pattern: /\bv1\.0-[a-f0-9]{24}-[a-f0-9]{100,200}/g },
  { kind: 'databricks-token', hint: 'dapi', pattern: /\bdapi[a-f0-9]{32}(?:-\d)?\b/g },
  { kind: 'shopify-token', hint: 'shp', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g },
  { kind: 'square-token', hint: 'sq0', pattern: /\bsq0(?:atp|csp|idp)-[\w-]{22,60}/g },
  {
    kind: 'braintree-token',
    hint: 'access_token$',
    pattern: /\baccess_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}/g,
  },
  { kind: 'linear-key', hint: 'lin_', pattern: /\blin_(?:api|oauth)_[A-Za-z0-9]{32,80}/g },
  { kind: 'notion-token', hint: 'ntn_', pattern: /\bntn_[A-Za-z0-9]{40,60}/g },
  { kind: 'notion-token', hint: 'secret_', pattern: /\bsecret_[A-Za-z0-9]{43}\b/g },
  { kind: 'airtable-token', hint: 'pat', pattern: /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b/g },
  { kind: 'atlassian-token', hint: 'at', pattern: /\bAT(?:ATT3|CTT3)[\w=-]{50,300}/g },
  { kind: 'bitbucket-token', hint: 'atbb', pattern: /\bATBB[A-Za-z0-9]{24,40}/g },
  { kind: 'figma-token', hint: 'figd_', pattern: /\bfigd_[\w-]{36,60}/g },
  { kind: 'dropbox-token', hint: 'sl.', pattern: /(?<![\w-])sl\.[\w-]{100,1500}/g },
  { kind: 'grafana-token', hint: 'gl', pattern: /\bgl(?:sa_[A-Za-z0-9]{32}_[a-f0-9]{8}|c_[A-Za-z0-9+/=]{32,400})/g },
  { kind: 'newrelic-key', hint: 'nr', pattern: /\bNR(?:AK-[A-Z0-9]{27}|JS-[a-f0-9]{19}|II-[\w-]{32})/g },
  { kind: 'sentry-token', hint: 'sntry', pattern: /\bsntry[su]_[\w+/=.-]{40,400}/g },
  { kind: 'vault-token', hint: 'hv', pattern: /\bhv[sb]\.[\w-]{24,300}/g },
  { kind: 'terraform-token', hint: '.atlasv1.', pattern: /\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,80}/g },
  { kind: 'pulumi-token', hint: 'pul-', pattern: /\bpul-[a-f0-9]{40}\b/g },
  { kind: 'doppler-token', hint: 'dp.', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,120}/g },
  { kind: 'postman-key', hint: 'pmak-', pattern: /\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b/g },
  { kind: 'supabase-key', hint: 'sb', pattern: /\b(?:sbp_[a-f0-9]{40}|sb_secret_[\w-]{20,80})/g },
  { kind: 'planetscale-token', hint: 'pscale_', pattern: /\bpscale_(?:tkn|pw|oauth)_[\w.=-]{30,100}/g },
  { kind: 'tailscale-key', hint: 'tskey-', pattern: /\btskey-[a-z]{3,12}-[\w-]{16,120}/g },
  { kind: 'age-key', hint: 'age-secret-key-', pattern: /\bAGE-SECRET-KEY-1[A-Z0-9]{50,70}/g },
  { kind: 'onepassword-token', hint: 'ops_', pattern: /\bops_eyJ[\w+/=-]{50,2000}/g },
  { kind: 'jwt', hint: 'eyj', pattern: /(?<![\w-])eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{0,2000}/g },
]

/** Secrets known by what stands around them. */
const FRAMED_FORMS: readonly SecretForm[] = [
  {
    kind: 'private-key',
    hint: 'private key',
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----)){0,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s\\]{0,20000})/g,
  },
  {
    kind: 'authorization',
    hint: 'authorization',
    pattern:
      /(?<before>\b(?:proxy-)?authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|digest|bot|apikey)[ \t]{1,4})?)(?=[\w.~+/=:-]{0,200}\d|[\w.~+/=-]{20})[\w.~+/=:-]{8,4000}/gi,
  },
  {
    kind: 'authorization',
    hint: 'bearer',
    pattern: /(?<before>\bbearer[ \t]{1,4})(?=[\w.~+/=-]{0,200}\d|\w{32})[\w.~+/=-]{16,4000}/gi,
  },
  {
    kind: 'credentials-in-url',
    hint: '://',
    pattern:
      /(?<before>\b[a-z][a-z0-9+.-]{1,30}:\/\/[^\s:/?#@'"<>]{0,100}:)(?!\[redacted|\$|<|\{|\*)[^\s/@'"<>]{1,200}(?<after>@)/gi,
  },
  {
    kind: 'secret-in-query',
    hint: '=',
    pattern:
      /(?<before>[?&](?:access_token|refresh_token|id_token|api_?key|auth_?key|app_?key|key|token|sig|signature|x-amz-signature|x-amz-security-token|secret|client_secret|password|pwd)=)(?!\[redacted|\$|<|\{|\*)[^\s&#'"<>]{8,2000}/gi,
  },
  {
    kind: 'cookie',
    hint: 'cookie',
    pattern: /(?<before>\b(?:set-)?cookie["']?[ \t]{0,4}:[ \t]{0,4}["']?[\w.-]{1,60}=)(?!\[redacted)[^\s'"]{12,4000}/gi,
  },
  {
    kind: 'azure-key',
    hint: 'accountkey=',
    pattern: /(?<before>\b(?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{30,120}/gi,
  },
  {
    kind: 'basic-auth',
    hint: 'curl',
    pattern:
      /(?<before>\bcurl\b[^\n]{0,300}?[ \t](?:-u|--user)[ =]?['"]?[^\s:'"]{1,80}:)(?!\[redacted|\$)[^\s'"]{3,200}/g,
  },
  {
    kind: 'password',
    hint: 'sshpass',
    pattern: /(?<before>\bsshpass[ \t]{1,4}-p[ \t]{0,4}['"]?)(?!\[redacted|\$)[^\s'"]{3,200}/g,
  },
  {
    kind: 'npm-token',
    hint: '_authtoken',
    pattern: /(?<before>_authToken[ \t]{0,4}=[ \t]{0,4}"?)(?!\[redacted|\$)[^\s"]{8,400}/gi,
  },
]

export const SECRET_FORMS: readonly SecretForm[] = [
  ...FRAMED_FORMS.slice(0, 1),
  ...MARKED_FORMS,
  ...FRAMED_FORMS.slice(1),
]
