// Finds secrets that somebody pasted into a query by mistake: keys and tokens of common services, private keys, IBANs
// and card numbers. Only what has a form of its own is found: a prefix that its vendor gave it, or a checksum. A password,
// a recovery phrase or a bare hexadecimal key looks like any other text and isn't found.
//
// A text that is flagged by mistake is worse than it seems, because a search is held or refused for it: none of the
// queries in answers/src/ordinary-queries.txt may be.

interface Form {
  /** For programs: it is in the header `Query-Guard`. */
  kind: string
  /** For people; also what replaces the secret in a query. */
  name: string
  /** The service that issues it; '' if it has no one issuer. */
  vendor: string
  /** With the flag `g`. */
  pattern: RegExp
  /** Where the secret ends, if the match alone doesn't tell; 0: it is none. */
  endOf?: (text: string, start: number, matchEnd: number) => number
}

const formOf =
  (word: string) =>
  (kind: string, vendor: string, pattern: RegExp): Form => ({
    kind: `${kind}_${word}`,
    name: `${vendor} ${word}`,
    vendor,
    pattern,
  })
const token = formOf('token')
const key = formOf('key')

/**
 * The lookbehind at the start of many patterns keeps each from starting inside a longer word. Where nothing else bounds
 * the search, it also makes the pattern linear.
 */
const FORMS: readonly Form[] = [
  {
    kind: 'private_key',
    name: 'private key',
    vendor: '',
    pattern: /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g,
    endOf: endOfPrivateKey,
  },
  // The body alone: what every OpenSSH key and every RSA key in PKCS #8 begins with.
  {
    kind: 'private_key',
    name: 'private key',
    vendor: '',
    pattern: /(?<![\w+/])(?:b3BlbnNzaC1rZXktdjE|MII[\w+/]{1,5}IBADANBgkqhkiG9w0BAQEFAASC)[\w+/=\s]{20,}/g,
  },
  { kind: 'age_key', name: 'age key', vendor: 'age', pattern: /AGE-SECRET-KEY-(?:PQ-)?1[\dA-Z]{50,}/g },
  key('bowerbird', 'Bowerbird', /bowerbird_[\dA-Za-z]{8}\.[\dA-Za-z]{49}(?![\dA-Za-z])/g),
  key('aws', 'AWS', /(?<![\dA-Za-z])A[KS]IA[2-7A-Z]{16}(?![\dA-Za-z])/g),
  token('github', 'GitHub', /(?<![\dA-Za-z])(?:gh[oprsu]_[\dA-Za-z]{36,}|github_pat_\w{40,})/g),
  token('gitlab', 'GitLab', /(?<![\w-])gl(?:agent|cbt|dt|ffct|ft|imt|oas|pat|ptt|rt|soat|wt)-[\w.-]{20,}/g),
  token('slack', 'Slack', /(?<![\w-])(?:xox[a-z](?:\.xox[a-z])?-\d|xapp-\d-[A-Z\d])[\w%-]{14,}/g),
  key('stripe', 'Stripe', /(?<![\dA-Za-z])(?:[rs]k_(?:live|test)_[\dA-Za-z]{16,}|whsec_[\dA-Za-z+/]{24,}=*)/g),
  key('anthropic', 'Anthropic', /(?<![\w-])sk-ant-[\w-]{32,}/g),
  key('openrouter', 'OpenRouter', /(?<![\w-])sk-or-v1-[\da-f]{64}/g),
  key('openai', 'OpenAI', /(?<![\w-])sk-(?:(?:admin|proj|svcacct)-[\w-]{32,}|[\dA-Za-z]{20}T3BlbkFJ[\dA-Za-z]{20})/g),
  key('google', 'Google', /(?<![\w-])(?:AIza[\w-]{35}|GOCSPX-[\w-]{28}|ya29\.[\w-]{30,})(?![\w-])/g),
  token('npm', 'npm', /(?<![\dA-Za-z])npm_[\dA-Za-z]{36}(?![\dA-Za-z])/g),
  token('pypi', 'PyPI', /(?<![\w-])pypi-AgE[\w-]{50,}/g),
  key('sendgrid', 'SendGrid', /(?<![\w-])SG\.[\w-]{22}\.[\w-]{43}(?![\w-])/g),
  key('twilio', 'Twilio', /(?<![\dA-Za-z])SK[\da-f]{32}(?![\dA-Za-z])/g),
  key(
    'azure',
    'Azure',
    /(?<![\w~.-])(?:(?:Account|SharedAccess)Key=[\dA-Za-z+/]{43}(?:[\dA-Za-z+/]{43}=)?=|[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-]))/g,
  ),
  token('digitalocean', 'DigitalOcean', /(?<![\dA-Za-z])do[opr]_v1_[\da-f]{64}/g),
  token('hugging_face', 'Hugging Face', /(?<![\dA-Za-z])hf_[\dA-Za-z]{34,}/g),
  key('groq', 'Groq', /(?<![\dA-Za-z])gsk_[\dA-Za-z]{40,}/g),
  key('xai', 'xAI', /(?<![\w-])xai-[\dA-Za-z]{60,}/g),
  key('perplexity', 'Perplexity', /(?<![\w-])pplx-[\dA-Za-z]{40,}/g),
  key('tavily', 'Tavily', /(?<![\w-])tvly-[\w-]{28,}/g),
  token('docker', 'Docker', /(?<![\dA-Za-z])dckr_(?:o|p)at_[\w-]{20,}/g),
  token('vault', 'Vault', /(?<![\w-])hv[bs]\.[\w-]{24,}/g),
  token('shopify', 'Shopify', /(?<![\dA-Za-z])shp(?:at|ca|pa|ss)_[\da-fA-F]{32}(?![\dA-Za-z])/g),
  token('telegram', 'Telegram', /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g),
  {
    kind: 'jwt',
    name: 'JSON Web Token',
    vendor: '',
    pattern: /(?<![\w.-])eyJ[\w.-]{40,}/g,
    endOf: endOfWebToken,
  },
  {
    kind: 'iban',
    name: 'IBAN',
    vendor: '',
    // As long as any, and so perhaps with words that follow it.
    pattern: /(?<![\dA-Za-z])[A-Za-z]{2}\d{2}(?:[\s-]?[\dA-Za-z]){11,29}/g,
    endOf: endOfIban,
  },
  {
    kind: 'card_number',
    name: 'card number',
    vendor: '',
    // Without separators, or in the groups that are printed on cards.
    pattern:
      /(?<![\w/-]|\d[.,])(?:\d{14,19}|\d{4}[\s-]\d{4}[\s-]\d{4}[\s-]\d{4}(?:[\s-]\d{1,3})?|\d{4}[\s-]\d{6}[\s-]\d{4,5})(?![\w/]|[.-]\d)/g,
    endOf: endOfCard,
  },
]

export type SecretForm = Pick<Form, 'kind' | 'name' | 'vendor'>

export interface FoundSecret {
  form: SecretForm
  start: number
  end: number
}

/** Almost every query is told apart by this: no secret has neither a digit nor a word this long. */
const MAY_HOLD_SECRET = /\d|\S{16}/

/** In the order of the text; none overlaps another. */
export function secretsIn(text: string): FoundSecret[] {
  if (!MAY_HOLD_SECRET.test(text)) return []
  const found: FoundSecret[] = []
  for (const form of FORMS) {
    const { pattern, endOf } = form
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const start = match.index
      const end = endOf ? endOf(text, start, pattern.lastIndex) : pattern.lastIndex
      if (end > 0 && !found.some((other) => start < other.end && other.start < end)) found.push({ form, start, end })
      // What only looked like a secret may reach into a real one.
      pattern.lastIndex = end || start + 1
    }
  }
  return found.sort((one, other) => one.start - other.start)
}

/**
 * Puts the name of each secret in its place: `why was DE89… declined` becomes `why was IBAN declined`. A plain name, because
 * brackets are an operator in several engines, and leaving a gap loses what the query is about, or all of it.
 */
export function withoutSecrets(text: string, secrets: readonly FoundSecret[]): string {
  let written = ''
  let at = 0
  for (const { form, start, end } of secrets) {
    written += text.slice(at, start) + form.name
    at = end
  }
  return written + text.slice(at)
}

const byKind = (forms: readonly SecretForm[]): SecretForm[] => [
  ...new Map(forms.map((form) => [form.kind, form])).values(),
]

/** Each kind once. */
export const formsOf = (secrets: readonly FoundSecret[]): SecretForm[] => byKind(secrets.map(({ form }) => form))

/** Everything that can be found. */
export const SECRET_FORMS: readonly SecretForm[] = byKind(FORMS)

/** A few lines may come before it: comments, or how the key is encrypted. */
const KEY_BODY = /[\dA-Za-z+/=]{32}/

/** The key ends at its last line, or with the text if that is cut off. The first line alone is a common search. */
function endOfPrivateKey(text: string, _start: number, bodyAt: number): number {
  if (!KEY_BODY.test(text.slice(bodyAt, bodyAt + 400))) return 0
  const last = text.indexOf('-----END ', bodyAt)
  const closing = last === -1 ? -1 : text.indexOf('-----', last + '-----END '.length)
  return closing === -1 ? text.length : closing + '-----'.length
}

/** Header and payload are objects. Without a signature it proves nothing, and is no secret. */
function endOfWebToken(text: string, start: number, matchEnd: number): number {
  const [header = '', payload = '', signature = ''] = text.slice(start, matchEnd).split('.', 3)
  const isSigned = payload.startsWith('eyJ') && signature.length >= 20
  return isSigned ? start + header.length + payload.length + signature.length + 2 : 0
}

/** By country, with country code and check digits. */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

function endOfIban(text: string, start: number, matchEnd: number): number {
  const length = IBAN_LENGTHS.get(text.slice(start, start + 2).toUpperCase()) ?? Number.POSITIVE_INFINITY
  const iban = text.slice(start, matchEnd).replace(/[\s-]/g, '').slice(0, length)
  // One in 97 texts has the right check digits; words that follow `AT20` are mostly letters.
  const digits = iban.replace(/\D/g, '').length
  if (iban.length < length || digits * 2 < length || remainderBy97(iban.slice(4) + iban.slice(0, 4)) !== 1) return 0
  let end = start
  for (let read = 0; read < length; end++) if (ALPHANUMERIC.test(text.charAt(end))) read++
  return ALPHANUMERIC.test(text.charAt(end)) ? 0 : end
}

const ALPHANUMERIC = /[\dA-Za-z]/

/** Letters count as 10 to 35. */
function remainderBy97(text: string): number {
  let remainder = 0
  for (const character of text) {
    const value = Number.parseInt(character, 36)
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
  }
  return remainder
}

/** Visa, Mastercard, American Express, Diners Club, JCB, Discover, UnionPay: first digits and lengths. */
const CARD =
  /^(?:4(?:\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14,17})$/

/** What follows sixteen digits in groups may be the security code. */
const GROUPED_LENGTH = '4111 1111 1111 1111'.length

function endOfCard(text: string, start: number, matchEnd: number): number {
  if (isCard(text.slice(start, matchEnd))) return matchEnd
  const end = start + GROUPED_LENGTH
  return end < matchEnd && isCard(text.slice(start, end)) ? end : 0
}

/** The last digit is a checksum (Luhn). */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  if (!CARD.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits.charAt(digits.length - 1 - at))
    sum += at % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}
