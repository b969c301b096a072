// What the instance, a person or a key wants of some sites: to see them first, higher, lower, or not at all, or under
// another address. `parse-rules.ts` reads them, `compile-rules.ts` makes them fast, `search/apply-rules.ts` applies them.
import type { AuditContext } from '../audit/audit-log.ts'

/** What happens to the results of a site. */
export type RuleAction = 'block' | 'lower' | 'raise' | 'pin'

/**
 * What a subscription can do with the sites of a list. To pin or rewrite them would let the publisher choose what
 * comes first, or where a result leads, and choose anew every day.
 */
export const LIST_ACTIONS = ['block', 'raise', 'lower'] as const satisfies readonly RuleAction[]
export type ListAction = (typeof LIST_ACTIONS)[number]

/** Whose rule it is. The instance's blocks come first, then what the key or the person says, then the rest of the instance's. */
export type RuleOwnerKind = 'instance' | 'person' | 'key'

/** One rule, as people write it and as it is exported. */
export interface SiteRule {
  /** A domain (`example.org`, with its subdomains), a suffix (`*.example`), or a domain with a path (`example.org/shop/*`). */
  pattern: string
  action: RuleAction | 'rewrite'
  /** The host that `rewrite` shows instead. */
  to?: string
}

/** What the rules in force say about one address. */
export interface Verdict {
  action: RuleAction | undefined
  /** The pattern that decided the action, and whose it is; for `explain`. */
  pattern: string
  owner: RuleOwnerKind
  /** The address to show instead, or undefined. */
  rewritten: string | undefined
}

/** The rules in force for one search: immutable, and the same object as long as nothing changes. */
export interface RuleSet {
  /** Differs for sets that may judge differently: part of the key of every cached answer. */
  readonly id: string
  readonly size: number
  /** Undefined for most addresses. */
  verdictOf: (address: string) => Verdict | undefined
}

/** Who has rules. */
export type RuleOwner = { kind: 'instance' } | { kind: 'person'; userId: string } | { kind: 'key'; keyId: string }

/** A list that somebody publishes, fetched once a day. */
export interface RuleSubscription {
  id: string
  address: string
  /** What happens to its sites. Rules of the list that say something else are left out. */
  action: ListAction
  /** Who publishes it and under which licence, as its own head says; '' if it doesn't. */
  publisher: string
  licence: string
  rules: number
  /** Milliseconds since 1970; undefined before the first time. */
  fetchedAt: number | undefined
  /** Why the last fetch failed, or how much of the list was left out, in words; '' if neither. */
  problem: string
}

/** Who makes a change, for the record of it; the command line if nobody is named. */
export type RuleChanger = Pick<AuditContext, 'actor' | 'systemUser'>

export interface RuleList {
  /** Newest first. */
  own: readonly SiteRule[]
  subscriptions: readonly RuleSubscription[]
}

/** Reads and changes rules. Every change reaches every node within a few seconds. */
export interface RuleBook {
  /**
   * The rules for a search by this key, by this person, or by somebody unknown ({}), who may have rules in their browser;
   * undefined if there are none. Not a promise if they are in memory.
   */
  inForce: (who: {
    userId?: string
    keyId?: string
    browser?: readonly SiteRule[]
  }) => RuleSet | undefined | Promise<RuleSet | undefined>
  list: (owner: RuleOwner) => Promise<RuleList>
  /** Sets the rule for its pattern and action `rewrite` or not; a second one for the same pattern replaces the first. */
  set: (owner: RuleOwner, rule: SiteRule, by?: RuleChanger) => Promise<void>
  remove: (owner: RuleOwner, pattern: string, by?: RuleChanger) => Promise<void>
  /** Adds all rules of a file in any known format; what can't be read is told with its line. */
  importText: (
    owner: RuleOwner,
    text: string,
    by?: RuleChanger,
  ) => Promise<{ added: number; problems: readonly string[] }>
  /** As text that `importText` reads. */
  exportText: (owner: RuleOwner) => Promise<string>
  subscribe: (
    owner: RuleOwner,
    subscription: { address: string; action: ListAction },
    by?: RuleChanger,
  ) => Promise<void>
  unsubscribe: (owner: RuleOwner, id: string, by?: RuleChanger) => Promise<void>
}
