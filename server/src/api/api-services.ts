// What the API needs from the rest of the instance. `services.ts` builds it; tests may build another.
import type { KeyVerifier } from '../keys/verify-key.ts'
import type { Answers } from '../answers/answers.ts'
import type { Cards } from '../cards/cards.ts'
import type { Log } from '../log.ts'
import type { Maps } from '../maps/maps.ts'
import type { Search } from '../search/search.ts'
import type { Suggest } from '../search/suggest.ts'
import type { Limits, Meter } from '../state/meter.ts'
import type { UsageReading } from '../limits/usage-reading.ts'
import type { StatusBoard } from '../health/provider-status.ts'
import type { Translate } from '../translate/translate.ts'

export interface ApiServices {
  keys: KeyVerifier
  meter: Meter
  /** The instance's limits; a key may have its own. */
  limits: Limits
  search: Search
  suggest: Suggest
  maps: Maps
  translate: Translate
  answers: Answers
  cards: Cards
  status: StatusBoard
  /** A key's usage since a day (UTC, inclusive). */
  readUsage: (keyId: string, sinceDay: string) => Promise<UsageReading>
  clock: () => number
  publicUrl: string
  log: Log
}
