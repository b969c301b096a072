import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../../engines/test/cpu-timer.ts'
import { mintKey } from '../keys/key-format.ts'
import { secretsIn, withoutSecrets } from './secrets-in-text.ts'

const ORDINARY = readFileSync(new URL('../../../answers/src/ordinary-queries.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)

const kindsIn = (text: string): string[] => secretsIn(text).map(({ form }) => form.kind)
const redacted = (text: string): string => withoutSecrets(text, secretsIn(text))

const of = (alphabet: string, length: number, longest = length) =>
  fc.string({ unit: fc.constantFrom(...Array.from(alphabet)), minLength: length, maxLength: longest })
const DIGITS = '0123456789'
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const BASE62 = `${DIGITS}${UPPER}${UPPER.toLowerCase()}`
const HEX = '0123456789abcdef'
const BASE64URL = `${BASE62}-_`
const after = (prefix: string, rest: fc.Arbitrary<string>) => rest.map((text) => prefix + text)
/** A number of bytes as base64 or base64url. */
const encoded = (bytes: number, alphabet: 'base64' | 'base64url') =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((data) => Buffer.from(data).toString(alphabet))

/** By the rule of ISO 13616, computed in another way than the code under test does. */
const iban = fc
  .tuple(fc.constantFrom('DE 18', 'NL 14 ABNA', 'GB 18 NWBK', 'NO 11', 'FR 23', 'CH 17'), of(DIGITS, 30), fc.boolean())
  .map(([country, digits, isGrouped]) => {
    const [code = '', length = '', bank = ''] = country.split(' ')
    const account = (bank + digits).slice(0, Number(length))
    const asNumber = BigInt(
      Array.from(`${account}${code}00`)
        .map((character) => Number.parseInt(character, 36))
        .join(''),
    )
    const whole = `${code}${String(98n - (asNumber % 97n)).padStart(2, '0')}${account}`
    return isGrouped ? (whole.match(/.{1,4}/g) ?? []).join(' ') : whole
  })

/** The last digit is the one of ten that makes Luhn's sum right. */
const card = fc
  .tuple(fc.constantFrom('4 16', '51 16', '2221 16', '2720 16', '34 15', '6011 16', '3528 16', '62 17'), of(DIGITS, 20))
  .map(([scheme, digits]) => {
    const [prefix = '', length = ''] = scheme.split(' ')
    const body = (prefix + digits).slice(0, Number(length) - 1)
    const doubled = Array.from(body)
      .reverse()
      .map((digit, at) => Number(digit) * (at % 2 === 0 ? 2 : 1))
    const sum = doubled.reduce((total, value) => total + Math.floor(value / 10) + (value % 10), 0)
    return body + String((10 - (sum % 10)) % 10)
  })

/** Put together, because `secure-code.test.ts` finds whole ones in any file. */
const firstLine = (title: string): string => `-----BEGIN ${title}-----`

const jsonPart = fc
  .record({ sub: of(BASE62, 8), exp: fc.integer({ min: 1e9, max: 2e9 }) })
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))

const SECRETS: Record<string, fc.Arbitrary<string>> = {
  private_key: fc
    .tuple(
      fc.constantFrom('PRIVATE KEY', 'RSA PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY'),
      encoded(150, 'base64'),
    )
    .map(([title, body]) => `${firstLine(title)}\n${body}\n-----END ${title}-----`),
  age_key: after('AGE-SECRET-KEY-1', of('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58)),
  bowerbird_key: fc
    .infiniteStream(fc.integer({ min: 0, max: 255 }))
    .map((bytes) => mintKey((size) => Uint8Array.from({ length: size }, () => bytes.next().value ?? 0)).full),
  aws_key: after('AKIA', of(`${UPPER}234567`, 16)),
  github_token: fc.oneof(
    after('ghp_', of(BASE62, 36)),
    fc.tuple(of(BASE62, 22), of(BASE62, 59)).map(([id, rest]) => `github_pat_${id}_${rest}`),
  ),
  gitlab_token: after('glpat-', of(BASE64URL, 20)),
  slack_token: fc
    .tuple(of(DIGITS, 12), of(DIGITS, 13), of(BASE62, 24))
    .map(([team, user, secret]) => `xoxb-${team}-${user}-${secret}`),
  stripe_key: after('sk_live_', of(BASE62, 24, 99)),
  anthropic_key: after('sk-ant-api03-', of(BASE64URL, 93)).map((text) => `${text}-wAA`),
  openrouter_key: after('sk-or-v1-', of(HEX, 64)),
  openai_key: fc.oneof(
    fc.tuple(of(BASE62, 20), of(BASE62, 20)).map(([one, other]) => `sk-${one}T3BlbkFJ${other}`),
    after('sk-proj-', of(BASE64URL, 74)),
  ),
  google_key: after('AIza', of(BASE64URL, 35)),
  npm_token: after('npm_', of(BASE62, 36)),
  pypi_token: after('pypi-AgEIcHlwaS5vcmc', of(BASE64URL, 80)),
  sendgrid_key: fc.tuple(of(BASE64URL, 22), of(BASE64URL, 43)).map(([id, secret]) => `SG.${id}.${secret}`),
  twilio_key: after('SK', of(HEX, 32)),
  azure_key: fc.oneof(
    after('AccountKey=', encoded(64, 'base64')),
    fc.tuple(of(BASE62, 3), of(DIGITS, 1), of(BASE62, 34)).map(([one, digit, rest]) => `${one}${digit}Q~${rest}`),
  ),
  digitalocean_token: after('dop_v1_', of(HEX, 64)),
  hugging_face_token: after('hf_', of(`${UPPER}${UPPER.toLowerCase()}`, 34)),
  groq_key: after('gsk_', of(BASE62, 52)),
  xai_key: after('xai-', of(BASE62, 80)),
  perplexity_key: after('pplx-', of(BASE62, 48)),
  tavily_key: after('tvly-dev-', of(BASE62, 32)),
  docker_token: after('dckr_pat_', of(BASE64URL, 27)),
  vault_token: after('hvs.', of(BASE64URL, 95)),
  shopify_token: after('shpat_', of(HEX, 32)),
  telegram_token: fc.tuple(of(DIGITS, 10), of(BASE64URL, 33)).map(([bot, secret]) => `${bot}:AA${secret}`),
  jwt: fc.tuple(jsonPart, jsonPart, encoded(32, 'base64url')).map((parts) => parts.join('.')),
  iban,
  card_number: card,
}

describe('secrets in a text', () => {
  it('flags 600 generated secrets of 30 kinds, each as what it is, and leaves nothing of them in the query', () => {
    expect(Object.keys(SECRETS)).toHaveLength(30)
    const words = fc.constantFrom('', 'why is my key refused', 'curl -H "Authorization: Bearer', '密钥', 'error:')
    for (const [kind, secrets] of Object.entries(SECRETS)) {
      fc.assert(
        fc.property(secrets, words, words, (secret, before, behind) => {
          const text = `${before} ${secret} ${behind}`.trim()
          expect([text, kindsIn(text)]).toEqual([text, [kind]])
          const { name } = secretsIn(text)[0]?.form ?? { name: '' }
          expect(redacted(text)).toBe(`${before} ${name} ${behind}`.trim())
          expect(kindsIn(redacted(text))).toEqual([])
        }),
        { numRuns: 20, seed: 26 },
      )
    }
  })

  it('flags none of the ordinary queries', () => {
    expect(ORDINARY.length).toBeGreaterThan(5_000)
    expect(ORDINARY.filter((query) => secretsIn(query).length > 0)).toEqual([])
  })

  it.each([
    ['an IBAN in lower case, with no-break spaces', 'de89 3704 0044 0532 0130 00', ['iban']],
    ['an IBAN with hyphens, before a word', 'GB29-NWBK-6016-1331-9268-19 sort code', ['iban']],
    ['an IBAN after something that looks like one', 'at20 DE89370400440532013000', ['iban']],
    ['a card in groups, with its date and code', '4111 1111 1111 1111 12/27 123', ['card_number']],
    ['a card in groups, with its code', '4111 1111 1111 1111 123', ['card_number']],
    ['a card of American Express', '3782-822463-10005', ['card_number']],
    [
      'a key that has lost its line breaks',
      `${firstLine('RSA PRIVATE KEY')}${'MIIEpAIBAAKCAQEA'.repeat(9)}`,
      ['private_key'],
    ],
    [
      'the body of an OpenSSH key',
      `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW`,
      ['private_key'],
    ],
    ['a token in a URL', `https://api.example.org/?access_token=ghp_${'aB3'.repeat(12)}&x=1`, ['github_token']],
    ['two secrets', `ghp_${'aB3'.repeat(12)} DE89370400440532013000`, ['github_token', 'iban']],
  ])('%s', (_case, text, kinds) => {
    expect(kindsIn(text)).toEqual(kinds)
  })

  it.each([
    ['an IBAN with a wrong digit', 'DE89370400440532013001'],
    ['an IBAN that is too short', 'DE8937040044053201300'],
    ['a card with a wrong digit', '4111111111111112'],
    ['digits of pi', '3.141592653589793 2.71828182845904523536'],
    ['a number with decimals', '4111111111111111.5 in hex'],
    ['an address with a long number', 'https://x.example/status/4111111111111111'],
    ['the first line of a key, as people search for it', `${firstLine('RSA PRIVATE KEY')} invalid format pem`],
    ['a prefix alone', 'what is a ghp_ token, sk-ant- or AKIA key'],
    ['an unsigned token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0.'],
    [
      'hashes',
      'sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 d41d8cd98f00b204e9800998ecf8427e',
    ],
    ['a UUID', '123e4567-e89b-42d3-a456-426614174000'],
    ['numbers for a sum', '4 8 15 16 23 42 108 4815162342'],
    ['an ISBN and a GTIN', '9783161484100 4006381333931 00012345600012'],
    ['a phone number', '+49 30 901820 0034 912 345 678'],
    ['long words', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
  ])('is silent about %s', (_case, text) => {
    expect(kindsIn(text)).toEqual([])
  })

  it.each([
    ['JSON Web Tokens', 'eyJ'],
    ['tokens with dots', 'glpat-.'],
    ['beginnings of IBANs', 'DE89 '],
    ['private keys', firstLine('PRIVATE KEY')],
    ['digits', '4'],
    ['groups', '4111 '],
  ])('reads a long text of nothing but %s in a moment', (_case, piece) => {
    const text = piece.repeat(100_000 / piece.length)
    const spentMs = startCpuTimer()
    secretsIn(text)
    expect(spentMs()).toBeLessThan(200)
  })
})
