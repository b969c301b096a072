// SearXNG's `hostnames.yml`: what it removes, prefers and replaces, as regular expressions of host names. They are never run:
// the form that nearly everyone uses, a domain with or without its subdomains, is read as that domain, and others are told.
import type { ListedRule } from './list-line.ts'
import { readPattern, readTarget } from './rule-pattern.ts'
import type { RuleAction, SiteRule } from './site-rules.ts'

const SECTIONS = new Map<string, SiteRule['action']>([
  ['replace', 'rewrite'],
  ['remove', 'block'],
  ['high_priority', 'raise'],
  ['higher_priority', 'raise'],
  ['low_priority', 'lower'],
  ['lower_priority', 'lower'],
])

const SECTION = /^([a-z_]{1,20}):$/

export const isHostnamesLine = (line: string): boolean =>
  SECTIONS.has(SECTION.exec(line)?.[1] ?? '') || /^(?:- {1,5})?['"]?\^?\((?:\?:)?(?:\.\*|www)\\\.\)\?/.test(line)

/** A reader remembers which section it is in; without one, a list is what its owner says. */
export function hostnamesReader(defaultAction: RuleAction): (line: string) => readonly ListedRule[] | string {
  let section: SiteRule['action'] | undefined = defaultAction
  return (line) => {
    if (line.startsWith('#') || line === '---') return []
    const name = SECTION.exec(line)?.[1]
    if (name !== undefined) {
      section = SECTIONS.get(name)
      return []
    }
    if (line.startsWith('- ')) {
      if (section === undefined || section === 'rewrite') return 'This is in no section of hostnames.'
      const pattern = domainOf(unquoted(line.slice(2)))
      return pattern === undefined ? UNTRANSLATABLE : [{ pattern, action: section }]
    }
    const [expression, target] = keyAndValue(line)
    if (target === undefined) return 'This is in no section of hostnames.'
    const pattern = domainOf(unquoted(expression))
    // So did its `hostname_replace` of before say that a site is removed.
    if (pattern !== undefined && target.trim() === 'false') return [{ pattern, action: 'block' }]
    const to = readTarget(unquoted(target))
    return pattern === undefined || to === undefined ? UNTRANSLATABLE : [{ pattern, action: 'rewrite', to }]
  }
}

const UNTRANSLATABLE = String.raw`Only expressions such as (.*\.)?example\.org$ are read. Write the domain instead.`

/** What may come before the domain: any subdomain, `www.`, or the beginning. */
const BEGINNINGS = [
  String.raw`(.*\.)?`,
  String.raw`(?:.*\.)?`,
  String.raw`(.+\.)?`,
  String.raw`(?:.+\.)?`,
  String.raw`(^|.*\.)`,
  String.raw`(www\.)?`,
  String.raw`(?:www\.)?`,
  String.raw`.*\.`,
  String.raw`.+\.`,
]

/** An expression without an end would also mean `example.org.elsewhere`. */
function domainOf(expression: string): string | undefined {
  const open = expression.startsWith('^') ? expression.slice(1) : expression
  if (!open.endsWith('$')) return undefined
  const beginning = BEGINNINGS.find((text) => open.startsWith(text)) ?? ''
  const domain = open.slice(beginning.length, -1).replaceAll(String.raw`\.`, '.').replaceAll(String.raw`\-`, '-')
  return /^[a-z\d.-]{3,253}$/i.test(domain) ? readPattern(domain) : undefined
}

/** The colon that ends a key has a space after it. */
function keyAndValue(line: string): [string, string | undefined] {
  const colonAt = line.indexOf(': ')
  return colonAt === -1 ? [line, undefined] : [line.slice(0, colonAt), line.slice(colonAt + 2)]
}

/** Without quotes, and without the comment after them. */
function unquoted(text: string): string {
  const written = text.trim()
  const quote = written.charAt(0)
  if (quote !== "'" && quote !== '"') return written.split(' #', 1)[0]?.trim() ?? ''
  const endAt = written.indexOf(quote, 1)
  const inside = endAt === -1 ? written.slice(1) : written.slice(1, endAt)
  // Double quotes have escapes in YAML.
  return quote === '"' ? inside.replaceAll('\\\\', '\\') : inside
}
