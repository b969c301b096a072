// Brave's Goggles: one instruction a line, a pattern of addresses and options after `$`. Those for a site are read; one
// that would hold for every site, or looks at titles, is told. How strong a boost is doesn't matter here.
import { type ListedRule, NO_SITE, type ReadLine } from './list-line.ts'
import { readPattern } from './rule-pattern.ts'
import type { RuleAction } from './site-rules.ts'

const ACTIONS = new Map<string, RuleAction>([
  ['boost', 'raise'],
  ['downrank', 'lower'],
  ['discard', 'block'],
])

export const isGogglesLine = (line: string): boolean =>
  /^!\s{0,5}(?:public|avatar|transferred_to)\s{0,5}:/.test(line) ||
  /\$(?:[\w=.-]{1,300},){0,9}(?:boost|downrank|discard|site=\w)/.test(line)

export const readGogglesLine: ReadLine = (line) => {
  if (line.startsWith('!') || line.startsWith('#')) return []
  const dollarAt = line.lastIndexOf('$')
  const path = (dollarAt === -1 ? line : line.slice(0, dollarAt)).trim()
  const options = (dollarAt === -1 ? '' : line.slice(dollarAt + 1)).toLowerCase().split(',')
  const names = options.map((option) => option.trim().split('=', 1)[0] ?? '')
  if (names.some((name) => ['intitle', 'indescription', 'incontent'].includes(name)))
    return 'Only addresses are looked at, not titles or texts.'
  const site = options
    .find((option) => option.trim().startsWith('site='))
    ?.trim()
    .slice('site='.length)
  // An instruction without an action is a boost.
  const action = names.map((name) => ACTIONS.get(name)).find(Boolean) ?? 'raise'
  const sites = site === undefined ? anchored(path) : path === '' ? [domainOf(site)] : belowSite(domainOf(site), path)
  if (sites === undefined) return 'This would hold for every site. Add $site= with a domain.'
  if (sites.some((text) => /[|^]/.test(text)))
    return 'A | is read only at the beginning and the end, a ^ only at the end.'
  const patterns = sites.map(readPattern).filter((pattern) => pattern !== undefined)
  if (patterns.length === 0) return NO_SITE
  return patterns.map((pattern): ListedRule => ({ pattern, action }))
}

/** `site=rs` is all of `.rs`. */
const domainOf = (site: string): string => (site.includes('.') ? site : `*.${site}`)

/** `|https://example.org/shop` and `||example.org^` begin with a host. */
function anchored(path: string): string[] | undefined {
  const host = /^(?:\|\||\|https?:\/\/)(.+)$/.exec(path)?.[1]
  return host === undefined ? undefined : withEnd(host)
}

/** A pattern may be anywhere in an address; with a site, it is where its paths begin. */
const belowSite = (site: string, path: string): string[] =>
  /^\|(?!\|)/.test(path) ? (anchored(path) ?? []) : withEnd(`${site}${path.startsWith('/') ? '' : '/*'}${path}`)

/** `|` ends the address; `^` ends a part of it, after which another or the query may come. */
function withEnd(text: string): string[] {
  if (text.endsWith('|')) return [text.slice(0, -1)]
  const open = text.replace(/\^$/, '')
  if (!open.includes('/')) return [open]
  return open === text ? [`${text}*`] : [`${open}/*`, `${open}?*`]
}
