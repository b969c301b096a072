// Decimal arithmetic for every answer that computes: 40 digits, rounding halves away from zero as people do. A clone,
// so other users of the library can't change our settings.
import { Decimal } from 'decimal.js'

export type { Decimal } from 'decimal.js'

export const Exact = Decimal.clone({ defaults: true, precision: 40, rounding: Decimal.ROUND_HALF_UP })
