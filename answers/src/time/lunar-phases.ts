// Computes new moons, quarters and full moons by Meeus's method (Astronomical Algorithms, chapter 49) with its larger
// terms: accurate to about two minutes in this century, so that the date is right too. suncalc is off by up to two hours.

export type PrincipalPhase = 'new_moon' | 'first_quarter' | 'full_moon' | 'last_quarter'

export interface PhaseMoment {
  phase: PrincipalPhase
  epochMs: number
}

const PHASE_ORDER: readonly PrincipalPhase[] = ['new_moon', 'first_quarter', 'full_moon', 'last_quarter']
const MS_PER_DAY = 86_400_000
const MONTH_DAYS = 29.530588861
/** The new moon of 6 January 2000. Like all dates in the formulas, it is in Julian days. */
const FIRST_NEW_MOON = 2451550.09766
const UNIX_EPOCH = 2440587.5
/** ΔT, by which universal time lags behind the formulas' dynamical time, in days; about right from 2000 to 2050. */
const DELTA_T = 70 / 86_400

/** A coefficient, then the multiples of M', M and F in the sine. Terms with M are also multiplied by a power of E. */
type Term = readonly [amount: number, moon: number, sun: number, latitude: number]

const NEW_TERMS: readonly Term[] = [
  [-0.4072, 1, 0, 0],
  [0.17241, 0, 1, 0],
  [0.01608, 2, 0, 0],
  [0.01039, 0, 0, 2],
  [0.00739, 1, -1, 0],
  [-0.00514, 1, 1, 0],
  [0.00208, 0, 2, 0],
  [-0.00111, 1, 0, -2],
  [-0.00057, 1, 0, 2],
  [0.00056, 2, 1, 0],
  [-0.00042, 3, 0, 0],
  [0.00042, 0, 1, 2],
  [0.00038, 0, 1, -2],
  [-0.00024, 2, -1, 0],
]

const FULL_TERMS: readonly Term[] = [
  [-0.40614, 1, 0, 0],
  [0.17302, 0, 1, 0],
  [0.01614, 2, 0, 0],
  [0.01043, 0, 0, 2],
  [0.00734, 1, -1, 0],
  [-0.00515, 1, 1, 0],
  [0.00209, 0, 2, 0],
  ...NEW_TERMS.slice(7),
]

const QUARTER_TERMS: readonly Term[] = [
  [-0.62801, 1, 0, 0],
  [0.17172, 0, 1, 0],
  [-0.01183, 1, 1, 0],
  [0.00862, 2, 0, 0],
  [0.00804, 0, 0, 2],
  [0.00454, 1, -1, 0],
  [0.00204, 0, 2, 0],
  [-0.0018, 1, 0, -2],
  [-0.0007, 1, 0, 2],
  [-0.0004, 3, 0, 0],
  [-0.00034, 2, -1, 0],
  [0.00032, 0, 1, 2],
  [0.00032, 0, 1, -2],
  [-0.00028, 1, 2, 0],
  [0.00027, 2, 1, 0],
]

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** `count` is in quarter lunations since the new moon of January 2000. */
function phaseMoment(count: number): PhaseMoment {
  const k = count / 4
  const phase = PHASE_ORDER[((count % 4) + 4) % 4] ?? 'new_moon'
  const centuries = k / 1236.85
  const eccentricity = 1 - 0.002516 * centuries - 0.0000074 * centuries ** 2
  const sun = radians(2.5534 + 29.1053567 * k)
  const moon = radians(201.5643 + 385.81693528 * k + 0.0107582 * centuries ** 2)
  const latitude = radians(160.7108 + 390.67050284 * k - 0.0016118 * centuries ** 2)
  const node = radians(124.7746 - 1.56375588 * k)
  const terms = phase === 'new_moon' ? NEW_TERMS : phase === 'full_moon' ? FULL_TERMS : QUARTER_TERMS
  let correction = -0.00017 * Math.sin(node)
  for (const [amount, ofMoon, ofSun, ofLatitude] of terms) {
    const angle = ofMoon * moon + ofSun * sun + ofLatitude * latitude
    correction += amount * eccentricity ** Math.abs(ofSun) * Math.sin(angle)
  }
  const quarterCorrection = 0.00306 - 0.00038 * eccentricity * Math.cos(sun) + 0.00026 * Math.cos(moon)
  if (phase === 'first_quarter') correction += quarterCorrection
  if (phase === 'last_quarter') correction -= quarterCorrection
  const julian = FIRST_NEW_MOON + MONTH_DAYS * k + 0.00015437 * centuries ** 2 + correction - DELTA_T
  return { phase, epochMs: Math.round((julian - UNIX_EPOCH) * MS_PER_DAY) }
}

/** The next phases at or after a moment, in order. */
export function phasesFrom(epochMs: number, count: number): PhaseMoment[] {
  const quarters = ((epochMs / MS_PER_DAY + UNIX_EPOCH - FIRST_NEW_MOON) / MONTH_DAYS) * 4
  const found: PhaseMoment[] = []
  // Starts a quarter early, because the true phase may come up to two thirds of a day after the mean one.
  for (let quarter = Math.floor(quarters) - 1; found.length < count; quarter++) {
    const moment = phaseMoment(quarter)
    if (moment.epochMs >= epochMs) found.push(moment)
  }
  return found
}
