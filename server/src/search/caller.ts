// Who asks. An endpoint, a page or a tool makes one caller for each request and hands it to every service that may call a
// provider: searches, suggestions, cards, answers, maps and translation. It is never copied.
import type { RuleSet } from '../rules/site-rules.ts'
import type { GuardMode, GuardReport } from './query-guard.ts'

type Rules = RuleSet | undefined

interface CallerFacts {
  isVisitor?: boolean
  isRelayed?: boolean
  queryGuard?: GuardMode
  onSecret?: (report: GuardReport) => void
  onFound?: ((urls: readonly string[]) => void) | undefined
  /** Looks up the rules about sites; left out: there are none. */
  findRules?: () => Rules | Promise<Rules>
}

export class Caller {
  /** Someone who isn't signed in, on a public website: calls to providers are paid from the visitors' share. */
  readonly isVisitor: boolean
  /** Another Bowerbird asks, so engines that are Bowerbirds are left out. */
  readonly isRelayed: boolean
  /** What happens to a query that holds a secret. The website asks its reader first, so its callers have `off`. */
  readonly queryGuard: GuardMode
  /** Called before the query is sent to anyone, if it holds a secret and isn't refused. */
  readonly onSecret: (report: GuardReport) => void
  /** Called with the pages that were found, if the caller may read only those. */
  readonly onFound: ((urls: readonly string[]) => void) | undefined
  readonly #findRules: () => Rules | Promise<Rules>
  #rules: { found: Rules | Promise<Rules> } | undefined

  constructor(facts: CallerFacts) {
    this.isVisitor = facts.isVisitor ?? false
    this.isRelayed = facts.isRelayed ?? false
    this.queryGuard = facts.queryGuard ?? 'off'
    this.onSecret = facts.onSecret ?? (() => undefined)
    this.onFound = facts.onFound
    this.#findRules = facts.findRules ?? (() => undefined)
  }

  /** The rules about sites that are in force for this caller: looked up once, and not a promise if they are in memory. */
  findRules(): Rules | Promise<Rules> {
    this.#rules ??= { found: this.#findRules() }
    return this.#rules.found
  }
}

/** The operator, whose own searches have no rules, guard or share: those of a calibration. */
export const OPERATOR = new Caller({})

/**
 * What an answer depends on besides the request itself, as part of its key in a cache. Whatever else changes with the
 * caller belongs in here.
 */
export const describeAudience = ({ isRelayed }: Caller, rules: Rules): string =>
  `${isRelayed ? 'relayed ' : ''}${rules?.id ?? ''}`
