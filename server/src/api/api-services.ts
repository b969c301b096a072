// The services that the API needs. `compose/compose.ts` builds them; tests can build their own.

import type { CostReader } from '../budget/cost-ledger.ts'
import type { Cards } from '../cards/cards.ts'
import type { InstantAnswers } from '../cards/instant-answers.ts'
import type { AllowedOrigins } from '../config/setting-types.ts'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { Log } from '../log.ts'
import type { Maps } from '../maps/maps.ts'
import type { LoadShedder } from '../rate-limit/load-shedder.ts'
import type { Limits, RateLimiter } from '../rate-limit/rate-limiter.ts'
import type { RuleBook } from '../rules/site-rules.ts'
import type { GuardMode } from '../search/query-guard.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { Translate } from '../translate/translate.ts'
import type { UsageReading } from '../usage/usage.ts'
import type { PageReading } from './page-reading.ts'
import type { Admit } from './pipeline/admission.ts'

export interface ApiServices {
  keys: KeyVerifier
  load: LoadShedder
  rateLimiter: RateLimiter
  /** The instance's limits; a key may have its own. */
  limits: Limits
  admit: Admit
  search: Search
  /** The private engines; without any, it has no slots. */
  mine: Search
  suggest: Suggest
  maps: Maps
  translate: Translate
  answers: InstantAnswers
  cards: Cards
  /** undefined: this instance reads no pages. */
  reader?: PageReading | undefined
  /** What the instance and the key want of some sites. */
  rules: Pick<RuleBook, 'inForce'>
  status: ProviderStatusBoard
  /** What providers cost, and what is left of their caps. */
  costs: CostReader
  /** The providers whose daily calls are used up. */
  spentQuotas: () => Promise<readonly { slug: string }[]>
  /** QUERY_GUARD, for keys. */
  queryGuard: GuardMode
  /** A key's usage since a day (UTC, inclusive). */
  readUsage: (keyId: string, sinceDay: string) => Promise<UsageReading>
  clock: () => number
  publicUrl: string
  /** The origins whose pages may call the API from a browser; undefined: none. */
  corsOrigins: AllowedOrigins | undefined
  log: Log
}
