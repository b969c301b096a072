// The sites of a reader without an account, in a cookie and nowhere else, in readable form:
// `block:example.org|raise:example.net|rewrite:example.com>front.example`. Newest first. The cookie is untrusted: what isn't
// a rule in it is ignored. It is sent with every request, so it holds only a few sites.

import { readPattern, readTarget } from '../rules/rule-pattern.ts'
import type { RuleAction, SiteRule } from '../rules/site-rules.ts'

export const RULES_COOKIE = 'bowerbird_sites'
export const MAX_BROWSER_RULES = 50
const MAX_COOKIE_LENGTH = 3_000

export const RULE_ACTIONS = ['block', 'raise', 'lower', 'pin'] as const satisfies readonly RuleAction[]

/** What a cookie may contain, without the signs that separate rules. */
const FITTING = /^[!#-+\--:=?-[\]-{}~]+$/

export function readBrowserRules(cookie: string | undefined): SiteRule[] {
  if (!cookie || cookie.length > MAX_COOKIE_LENGTH) return []
  return cookie.split('|', MAX_BROWSER_RULES).flatMap((text) => readRule(text) ?? [])
}

function readRule(text: string): SiteRule | undefined {
  const [, name, site = '', host = ''] = /^([a-z]{3,7}):([^>]+)(?:>([^>]+))?$/.exec(text) ?? []
  const pattern = readPattern(site)
  if (pattern === undefined) return undefined
  if (name === 'rewrite') {
    const to = readTarget(host)
    return to === undefined ? undefined : { pattern, action: 'rewrite', to }
  }
  const action = RULE_ACTIONS.find((known) => known === name)
  return action && { pattern, action }
}

/** The cookie; undefined if there are too many rules for one. */
export function writeBrowserRules(rules: readonly SiteRule[]): string | undefined {
  const written = rules.map(({ action, pattern, to }) => `${action}:${pattern}${to === undefined ? '' : `>${to}`}`)
  const cookie = written.join('|')
  return rules.length > MAX_BROWSER_RULES || cookie.length > MAX_COOKIE_LENGTH ? undefined : cookie
}

/** Whether a rule can be written in a cookie. */
export const fitsCookie = ({ pattern }: SiteRule): boolean => FITTING.test(pattern)
