// The arithmetic of every answer that computes: decimal, to 40 digits, rounding halves away from zero as people do.
// A clone, so that nobody else's settings change ours.
import { Decimal } from 'decimal.js'

export type { Decimal } from 'decimal.js'

export const Exact = Decimal.clone({ defaults: true, precision: 40, rounding: Decimal.ROUND_HALF_UP })
