// The rules of whoever reads a page: of a signed-in person in the account, of anybody else in the browser. The pages and
// the menu at a result change either in the same way.

import type { Accounts } from '../accounts/accounts.ts'
import { Refusal } from '../errors.ts'
import { parseRules } from '../rules/parse-rules.ts'
import { writeRules } from '../rules/read-list.ts'
import type { RuleBook, RuleChanger, RuleList, RuleOwner, SiteRule } from '../rules/site-rules.ts'
import { fitsCookie, MAX_BROWSER_RULES, RULES_COOKIE, readBrowserRules, writeBrowserRules } from './browser-rules.ts'
import type { PageContext } from './http/page.ts'
import { cookieName } from './http/page-context.ts'

const RULES_LIFE_SECONDS = 400 * 24 * 3600

/** The rules of one owner. A rule that can't be stored is refused with a sentence. */
export interface OwnedRules {
  list: () => Promise<RuleList>
  set: (rule: SiteRule) => Promise<void>
  remove: (pattern: string) => Promise<void>
  importText: (text: string) => Promise<{ added: number; problems: readonly string[] }>
  exportText: () => Promise<string>
}

/** `by`: whose changes are recorded. */
export const rulesOf = (rules: RuleBook, owner: RuleOwner, by?: RuleChanger): OwnedRules => ({
  list: () => rules.list(owner),
  set: (rule) => rules.set(owner, rule, by),
  remove: (pattern) => rules.remove(owner, pattern, by),
  importText: (text) => rules.importText(owner, text, by),
  exportText: () => rules.exportText(owner),
})

/** Only changes of the instance's rules are recorded. */
export const changerOf = (
  accounts: Accounts,
  { viewer, ip }: PageContext,
  { kind }: RuleOwner,
): RuleChanger | undefined =>
  kind === 'instance' && viewer ? accounts.accessBy({ address: ip, userId: viewer.userId }) : undefined

/** Of the reader: in the account, or in the browser. */
export const ownRules = (rules: RuleBook, context: PageContext): OwnedRules =>
  context.viewer ? rulesOf(rules, { kind: 'person', userId: context.viewer.userId }) : rulesInBrowser(context)

const cookieNameOf = ({ baseUrl }: PageContext): string => cookieName(RULES_COOKIE, baseUrl.startsWith('https://'))

function rulesInBrowser(context: PageContext): OwnedRules {
  let rules: readonly SiteRule[] = readBrowserRules(context.cookie(cookieNameOf(context)))
  const store = (changed: readonly SiteRule[]): void => {
    const cookie = writeBrowserRules(changed)
    if (cookie === undefined) throw new Refusal('conflict', context.words.sites.page.full({ most: MAX_BROWSER_RULES }))
    rules = changed
    if (cookie === '') context.clearCookie(cookieNameOf(context))
    else context.setCookie(cookieNameOf(context), cookie, { maxAgeSeconds: RULES_LIFE_SECONDS })
  }
  return {
    list: async () => ({ own: rules, subscriptions: [] }),
    set: async (rule) => store([rule, ...rules.filter((other) => !isInPlaceOf(rule, other))]),
    remove: async (pattern) => store(rules.filter((rule) => rule.pattern !== pattern)),
    async importText(text) {
      const read = await parseRules(text, 'block')
      const added = read.rules.filter(fitsCookie).toReversed()
      store([...added, ...rules.filter((other) => !added.some((rule) => isInPlaceOf(rule, other)))])
      return { added: added.length, problems: read.problems.map(({ line, words }) => `${line}: ${words}`) }
    },
    exportText: async () => writeRules(rules.toReversed()),
  }
}

/** A site has one action, and may be rewritten besides. */
const isInPlaceOf = (rule: SiteRule, other: SiteRule): boolean =>
  rule.pattern === other.pattern && (rule.action === 'rewrite') === (other.action === 'rewrite')
