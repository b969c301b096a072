// Units and conversion between them. Factors are exact decimal strings, or fractions of two of them, so five inches are
// exactly 12.7 cm.
import { type Decimal, Exact } from '../../lib/exact-decimal.ts'

export type Dimension =
  | 'length'
  | 'area'
  | 'volume'
  | 'mass'
  | 'time'
  | 'temperature'
  | 'speed'
  | 'acceleration'
  | 'force'
  | 'pressure'
  | 'energy'
  | 'power'
  | 'torque'
  | 'angle'
  | 'frequency'
  | 'data'
  | 'data_rate'
  | 'fuel_economy'
  | 'voltage'
  | 'current'
  | 'resistance'
  | 'capacitance'
  | 'inductance'
  | 'charge'
  | 'magnetic_flux_density'
  | 'radioactivity'
  | 'absorbed_dose'
  | 'equivalent_dose'
  | 'illuminance'
  | 'luminance'
  | 'density'
  | 'flow'
  | 'viscosity'

/** Which system's gallon, for example; `metric`: a name with this meaning only outside English. */
export type System = 'us' | 'imperial' | 'metric' | 'australian'

export interface Unit {
  symbol: string
  dimension: Dimension
  /** Its size in the dimension's base unit: `above / below`. */
  above: Decimal
  below: Decimal
  /** Added before multiplying: 0 °C is 273.15 K. */
  offset: Decimal | undefined
  /** An inverse unit, such as litres per 100 km. */
  isReciprocal: boolean
  system: System | undefined
}

/** `undefined`: no result, as for 0 litres per 100 km in miles per gallon. */
export function convert(value: Decimal, from: Unit, to: Unit): Decimal | undefined {
  if (from.offset === undefined && to.offset === undefined && !from.isReciprocal && !to.isReciprocal) {
    // Divide only once, at the end: everything before it is exact.
    return value.times(from.above).times(to.below).div(from.below.times(to.above))
  }
  if (from.isReciprocal && value.isZero()) return undefined
  const shifted = value.plus(from.offset ?? 0)
  const [above, below] = from.isReciprocal
    ? [from.above, from.below.times(value)]
    : [shifted.times(from.above), from.below]
  if (to.isReciprocal) return above.isZero() ? undefined : to.above.times(below).div(to.below.times(above))
  return above
    .times(to.below)
    .div(below.times(to.above))
    .minus(to.offset ?? 0)
}

/** `0.3048`, or `1.609344/3.785411784`. */
export function readFactor(text: string): { above: Decimal; below: Decimal } {
  const [above = '1', below = '1'] = text.split('/')
  return { above: new Exact(above), below: new Exact(below) }
}
