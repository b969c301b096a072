// What makes an instance its operator's own: logo, accent colour, a line of welcome, links in the footer, and two pages of
// text. Every node uses a change within a second, as with all settings in the database.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import { parsed } from '../config/setting-types.ts'
import { type Logo, type LogoFault, MAX_LOGO_CHARACTERS, readLogo } from './logo-file.ts'

export interface FooterLink {
  name: string
  address: string
}

/** One language of a text. */
export interface TextVersion {
  /** A BCP 47 tag, or '' if the operator named none. */
  lang: string
  text: string
}

export interface Appearance {
  logo: Logo | undefined
  /** Six hexadecimal digits in lower case. */
  accent: string | undefined
  welcome: string
  links: readonly FooterLink[]
  /** Each with at least one version, unless there is no such page. */
  imprint: readonly TextVersion[]
  privacy: readonly TextVersion[]
}

export const MAX_WELCOME_LENGTH = 200
export const MAX_LINKS = 5
const MAX_LINK_NAME_LENGTH = 40
export const MAX_TEXT_LENGTH = 20_000

/** Those that may have several lines, or thousands of characters: how many. They are too long to be listed. */
export const LONG_SETTINGS: ReadonlyMap<string, number> = new Map([
  ['INSTANCE_LOGO', MAX_LOGO_CHARACTERS],
  ['INSTANCE_IMPRINT', MAX_TEXT_LENGTH],
  ['INSTANCE_PRIVACY', MAX_TEXT_LENGTH],
])

const LOGO_MISTAKES: Record<LogoFault, string> = {
  tooLarge: 'is larger than 64 kB.',
  notAPicture: 'must be a PNG, WebP or SVG: name the file in INSTANCE_LOGO_FILE.',
}

const logo = z.string().transform((text, context): Logo => {
  const verdict = readLogo(text)
  if (verdict.ok) return verdict.logo
  context.addIssue({ code: 'custom', message: LOGO_MISTAKES[verdict.fault] })
  return z.NEVER
})

/** `#1f47c4`, `1f47c4` or `#14c`. */
export function parseAccent(text: string): string | undefined {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(text)?.[1]?.toLowerCase()
  return digits?.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
}

/** `Our club https://club.example.org/ | Donate https://…`; a form has a line for each. Undefined: a mistake. */
export function parseLinks(text: string): FooterLink[] | undefined {
  const links = text
    .split(/[|\n]/)
    .map((link) => link.trim())
    .filter(Boolean)
    .map(parseLink)
  return links.length <= MAX_LINKS && links.every((link) => link !== undefined) ? links : undefined
}

function parseLink(text: string): FooterLink | undefined {
  const at = text.lastIndexOf(' ')
  const name = text.slice(0, Math.max(at, 0)).trim()
  const address = httpAddress(text.slice(at + 1))
  const isNamed = name !== '' && name.length <= MAX_LINK_NAME_LENGTH && !/\p{Cc}/u.test(name)
  return isNamed && address.startsWith('https://') ? { name, address } : undefined
}

/** A line with a language in brackets begins the version in that language. Undefined: a mistake. */
export function parseText(written: string): TextVersion[] | undefined {
  const text = written.replaceAll('\r\n', '\n')
  if (text.length > MAX_TEXT_LENGTH || /[^\P{Cc}\n\t]/u.test(text)) return undefined
  const versions = [{ lang: '', lines: [] as string[] }]
  for (const line of text.split('\n')) {
    const lang = languageIn(line)
    if (lang === undefined) versions.at(-1)?.lines.push(line)
    else versions.push({ lang, lines: [] })
  }
  return versions
    .map(({ lang, lines }) => ({ lang, text: lines.join('\n').trim() }))
    .filter((version) => version.text !== '')
}

function languageIn(line: string): string | undefined {
  const tag = /^\[([a-z]{2,3}(?:-[a-z\d-]{2,17})?)\]$/i.exec(line.trim())?.[1]
  if (tag === undefined) return undefined
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    // It isn't a language, so the line is text.
    return undefined
  }
}

const text = parsed(parseText, `must be at most ${MAX_TEXT_LENGTH} characters, without control characters.`)

const TEXT_RULES =
  'Paragraphs, `#` headings, `-` lists, `**bold**` and links; a line such as `[de]` begins the version in another language. From a file with'

export const APPEARANCE_SETTINGS = z.object({
  INSTANCE_LOGO: logo
    .optional()
    .describe(
      'The logo before the name, in [the browser’s tab and as an app](../set-up/make-it-your-own.md): a PNG, WebP or SVG of at most 64 kB. Name the file in `INSTANCE_LOGO_FILE`.',
    ),
  INSTANCE_ACCENT: parsed(parseAccent, 'must be a colour such as #1f47c4.')
    .optional()
    .describe(
      'The colour of links and buttons, such as `7a1fa2`; in an env file without the `#`, which begins a comment. Each theme has it as dark or as light as it must be to be legible. If not set, blue.',
    ),
  INSTANCE_WELCOME: parsed(
    (line) => (line.length <= MAX_WELCOME_LENGTH && /^\P{Cc}*$/u.test(line) ? line : undefined),
    `must be one line of at most ${MAX_WELCOME_LENGTH} characters.`,
  )
    .prefault('')
    .describe('A line under the search field of the home page; at most 200 characters.'),
  INSTANCE_LINKS: parsed(
    parseLinks,
    `must be at most ${MAX_LINKS} links, each a name and an address that starts with https://, separated by |.`,
  )
    .prefault('')
    .describe(
      'Up to five links in the footer of every page: `Our club https://club.example.org/`, each a name and an address, with a vertical bar between them.',
    ),
  INSTANCE_IMPRINT: text
    .prefault('')
    .describe(`The page \`/imprint\`, linked in the footer. ${TEXT_RULES} \`INSTANCE_IMPRINT_FILE\`.`),
  INSTANCE_PRIVACY: text
    .prefault('')
    .describe(`The page \`/privacy\`, likewise. ${TEXT_RULES} \`INSTANCE_PRIVACY_FILE\`.`),
})

export const buildAppearance = (settings: z.output<typeof APPEARANCE_SETTINGS>): Appearance => ({
  logo: settings.INSTANCE_LOGO,
  accent: settings.INSTANCE_ACCENT,
  welcome: settings.INSTANCE_WELCOME,
  links: settings.INSTANCE_LINKS,
  imprint: settings.INSTANCE_IMPRINT,
  privacy: settings.INSTANCE_PRIVACY,
})
