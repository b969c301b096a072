// Every format that has one site a line: our own export (`block example.org`), Kagi's words for the same, lists of hosts and
// hosts files, uBlacklist's match patterns, and the domains of filter lists (`||example.org^`). A line says by itself which it is.
import { type ListedRule, NO_EXPRESSIONS, NO_SITE } from './list-line.ts'
import { isPlainDomain, readPattern, readTarget } from './rule-pattern.ts'
import type { RuleAction, SiteRule } from './site-rules.ts'

const ACTIONS = new Map<string, RuleAction | 'rewrite' | undefined>([
  ['block', 'block'],
  ['blocked', 'block'],
  ['lower', 'lower'],
  ['lowered', 'lower'],
  ['raise', 'raise'],
  ['raised', 'raise'],
  ['higher', 'raise'],
  ['pin', 'pin'],
  ['pinned', 'pin'],
  ['rewrite', 'rewrite'],
  ['normal', undefined],
])

/** Names of columns. */
const HEADINGS = new Set(['domain', 'domains', 'host', 'site', 'website', 'url', 'action', 'rank', 'ranking', 'rule'])

const NOWHERE = new Set([
  '0.0.0.0',
  '127.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1%lo0',
  'ff00::0',
  'ff02::1',
  'ff02::2',
])

/** `*://*.example.org/*`, as nearly all of uBlacklist's are. */
const WHOLE_SITE = /^\*:\/\/(?:\*\.)?([^/]{1,253})\/\*$/

/** An action for what doesn't name one. */
export const listReader =
  (defaultAction: RuleAction) =>
  (line: string): readonly ListedRule[] | string => {
    // What nearly every line of a long list is. To look for other lines' words would make V8 keep each line in a table of
    // all known strings, and stop for 60 ms when that grows.
    const site = WHOLE_SITE.exec(line)?.[1] ?? line
    if (isPlainDomain(site)) return siteIn(site, defaultAction)
    const rule = withoutComment(line)
    if (isExpression(rule)) return NO_EXPRESSIONS
    if (rule === '' || rule.startsWith('!') || rule.startsWith('[')) return []
    // The domain of a filter list, and its exceptions.
    if (rule.startsWith('||')) return siteIn(rule.slice(2).replace(/\^$/, ''), defaultAction)
    if (rule.startsWith('@@||')) return siteIn(rule.slice(4).replace(/\^$/, ''), 'unblock')
    if (rule.startsWith('@')) return readMarked(rule)
    const words = rule.split(/\s+/)
    const [first = ''] = words
    if (NOWHERE.has(first)) return hostsIn(words.slice(1), defaultAction)
    // A path may hold what separates columns elsewhere.
    if (ACTIONS.has(first.toLowerCase())) return readFields(words)
    const fields = rule.split(/[\s,;]+/).map(unquoted)
    const isSite = words.length === 1 && !fields.some((field) => isAction(field) || HEADINGS.has(field.toLowerCase()))
    return isSite ? siteIn(rule, defaultAction) : readFields(fields)
  }

/** uBlacklist: `@*://example.org/*` isn't blocked, and `@1*://example.org/*` is highlighted. */
function readMarked(rule: string): readonly ListedRule[] | string {
  const [, level = '', written = ''] = /^@(\d{0,3})\s{0,5}(.*)$/.exec(rule) ?? []
  return isExpression(written) ? NO_EXPRESSIONS : siteIn(written, level === '' ? 'unblock' : 'raise')
}

/** `#` begins a comment at the beginning of a line, and after white space. */
const withoutComment = (line: string): string => {
  if (line.startsWith('#')) return ''
  const at = line.search(/\s#/)
  return at === -1 ? line : line.slice(0, at).trim()
}

/** Of uBlacklist: about titles and parts of addresses, by regular expressions too. */
const isExpression = (rule: string): boolean =>
  rule.startsWith('/') ||
  rule.includes('@if(') ||
  /^!?\$?(?:url|title|scheme|host|path|site|category)\s{0,5}(?:[*^$]?=|\/)/.test(rule)

const siteIn = (written: string, action: RuleAction | 'unblock'): readonly ListedRule[] | string => {
  const pattern = readPattern(written)
  return pattern === undefined ? NO_SITE : [{ pattern, action }]
}

/** What a hosts file sends nowhere. Names without a dot are computers of one's own. */
const hostsIn = (hosts: readonly string[], action: RuleAction): ListedRule[] =>
  hosts.flatMap((host) => {
    const isOwnName = !host.includes('.') || host === 'localhost.localdomain' || host === '0.0.0.0'
    const pattern = isOwnName ? undefined : readPattern(host)
    return pattern === undefined ? [] : [{ pattern, action }]
  })

/** An action and a site, in either order. */
function readFields(fields: readonly string[]): readonly ListedRule[] | string {
  if (fields.every((field) => HEADINGS.has(field.toLowerCase()))) return []
  const at = fields.findIndex(isAction)
  if (at === -1) return 'This names no action. Write block, lower, raise or pin, and then the domain.'
  const action = ACTIONS.get(fields[at]?.toLowerCase() ?? '')
  const [site = '', target = ''] = fields.toSpliced(at, 1)
  const pattern = readPattern(site)
  if (pattern === undefined) return NO_SITE
  if (action === 'rewrite') {
    const to = readTarget(target)
    return to === undefined
      ? 'This names no host to show instead. Write rewrite, the domain and that host.'
      : [{ pattern, action, to }]
  }
  return action === undefined ? [] : [{ pattern, action }]
}

const isAction = (field: string): boolean => ACTIONS.has(field.toLowerCase())

const unquoted = (field: string): string => field.replace(/^"|"$/g, '')

/** As text that `parseRules` reads. */
export const writeRules = (rules: readonly SiteRule[]): string =>
  [
    '# Rules for sites, one a line: block, lower, raise or pin a site, or rewrite it to another host.',
    ...rules.map(lineOf),
    '',
  ].join('\n')

const lineOf = ({ action, pattern, to }: SiteRule): string =>
  action === 'rewrite' ? `rewrite ${pattern} ${to ?? ''}` : `${action} ${pattern}`
