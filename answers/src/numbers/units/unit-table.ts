// All units, by all of their names. One name may be several units (`oz` is a weight and a volume, `gal` is American or
// British, `m` a metre or a minute): the lookup returns them all, and the other side of a conversion decides. Factors are
// exact decimals, or quotients of two exact decimals, so five inches are exactly 12.7 cm.
import { type Decimal, Exact } from '../../lib/numbers.ts'
import { EVERYDAY } from './everyday-units.ts'
import { GEOMETRY, LENGTHS_WITH_POWERS } from './geometry-units.ts'
import { PHYSICS } from './physics-units.ts'

const { length, ...AREA_AND_VOLUME } = GEOMETRY
/** If both sides of a conversion are ambiguous, the earlier dimension wins: `1 t in oz` is about weight. */
const DIMENSIONS = { length, ...EVERYDAY, ...AREA_AND_VOLUME, ...PHYSICS }

export type Dimension = keyof typeof DIMENSIONS

/**
 * The system that a name belongs to where systems differ, as for `gallon`. `metric`: what the name means in languages
 * other than English, such as `ton` for 1000 kg.
 */
type System = 'us' | 'imperial' | 'metric' | 'australian'

export interface Unit {
  symbol: string
  dimension: Dimension
  /** Its size in the dimension's base unit: `numerator / denominator`. */
  numerator: Decimal
  denominator: Decimal
  /** Added before multiplying: 0 °C is 273.15 K. */
  offset: Decimal | undefined
  /** An inverse unit, such as litres per 100 km. */
  isReciprocal: boolean
  system: System | undefined
}

interface Prefix {
  symbols: readonly string[]
  names: readonly string[]
  /** How far it shifts the decimal point. */
  shift: number
}

const PREFIXES: Readonly<Record<string, Prefix>> = {
  k: { symbols: ['k', 'K'], names: ['kilo', 'chilo', 'quilo'], shift: 3 },
  M: { symbols: ['M'], names: ['mega'], shift: 6 },
  G: { symbols: ['G'], names: ['giga'], shift: 9 },
  T: { symbols: ['T'], names: ['tera'], shift: 12 },
  P: { symbols: ['P'], names: ['peta'], shift: 15 },
  E: { symbols: ['E'], names: ['exa'], shift: 18 },
  Z: { symbols: ['Z'], names: ['zetta'], shift: 21 },
  Y: { symbols: ['Y'], names: ['yotta'], shift: 24 },
  h: { symbols: ['h'], names: ['hecto', 'hekto', 'etto'], shift: 2 },
  da: { symbols: ['da'], names: ['deca', 'deka'], shift: 1 },
  d: { symbols: ['d'], names: ['deci', 'dezi'], shift: -1 },
  c: { symbols: ['c'], names: ['centi', 'zenti'], shift: -2 },
  m: { symbols: ['m'], names: ['milli', 'mili'], shift: -3 },
  µ: { symbols: ['μ', 'u'], names: ['micro', 'mikro'], shift: -6 },
  n: { symbols: ['n'], names: ['nano'], shift: -9 },
  p: { symbols: ['p'], names: ['pico', 'piko'], shift: -12 },
  f: { symbols: ['f'], names: ['femto'], shift: -15 },
}

const SYSTEMS: readonly System[] = ['us', 'imperial', 'metric', 'australian']

interface Row {
  symbol: string
  factor: string
  symbols: readonly string[]
  names: readonly string[]
  options: string
}

class UnitTable {
  /** By symbol, case-sensitive. */
  readonly #exact = new Map<string, Unit[]>()
  /** By symbol or name, folded. */
  readonly #folded = new Map<string, Unit[]>()

  add(row: Row, dimension: Dimension): void {
    const unit = makeUnit(row, dimension)
    for (const symbol of row.symbols) {
      register(this.#exact, symbol.normalize('NFKC'), unit)
      register(this.#folded, symbol.normalize('NFKC').toLowerCase(), unit)
    }
    for (const name of row.names) register(this.#folded, name, unit)
  }

  /** Each unit once. */
  all(): readonly Unit[] {
    return [...new Set([...this.#exact.values(), ...this.#folded.values()].flat())]
  }

  /** Every name, folded. */
  names(): readonly string[] {
    return [...this.#folded.keys()]
  }

  /** Capitals matter: `Mb` is a megabit first, while `mb` may be any unit with these letters. */
  named({ text, folded }: { text: string; folded: string }): readonly Unit[] {
    const others = this.#folded.get(folded) ?? []
    const exact = text === folded ? undefined : this.#exact.get(text.normalize('NFKC'))
    return exact === undefined ? others : [...exact, ...others.filter((unit) => !exact.includes(unit))]
  }
}

function register(map: Map<string, Unit[]>, name: string, unit: Unit): void {
  const known = map.get(name)
  if (known === undefined) map.set(name, [unit])
  else if (!known.includes(unit)) known.push(unit)
}

function makeUnit({ symbol, factor, options }: Row, dimension: Dimension): Unit {
  const offset = /offset ([\d.]+)/.exec(options)?.[1]
  const system: System | undefined = SYSTEMS.find((name) => name === options)
  const { numerator, denominator } = readFactor(factor)
  return {
    symbol,
    dimension,
    numerator,
    denominator,
    offset: offset === undefined ? undefined : new Exact(offset),
    isReciprocal: options === 'reciprocal',
    system,
  }
}

function rowsIn(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [symbol = '', factor = '', symbols = '', names = '', options = ''] = line
        .split('|')
        .map((cell) => cell.trim())
      return { symbol, factor, symbols: splitCell(symbols, ' '), names: splitCell(names, ', '), options }
    })
}

const splitCell = (cell: string, separator: string): string[] =>
  cell === '' ? [] : [...new Set(cell.split(separator))]

function withPrefix(row: Row, name: string): Row {
  const prefix = PREFIXES[name]
  if (prefix === undefined) throw new Error(`unit-table: no prefix ${name}`)
  const power = `${prefix.shift < 0 ? '0.' : '1'}${'0'.repeat(Math.abs(prefix.shift) - (prefix.shift < 0 ? 1 : 0))}${prefix.shift < 0 ? '1' : ''}`
  const { numerator, denominator } = readFactor(row.factor)
  return {
    symbol: `${name}${row.symbol}`,
    factor: `${numerator.times(power).toFixed()}/${denominator.toFixed()}`,
    symbols: prefix.symbols.flatMap((sign) => row.symbols.map((symbol) => sign + symbol)),
    names: prefix.names.flatMap((start) => row.names.map((unit) => start + unit)),
    options: '',
  }
}

const SQUARE_NAMES =
  'square $, sq $, sq. $, $ carre, $ carres, quadrat$, $ cuadrado, $ cuadrados, $ cuadrada, $ cuadradas, $ quadrato, $ quadrati, $ quadrado, $ quadrados, $ squared, vierkante $'
const CUBE_NAMES =
  'cubic $, cu $, cu. $, $ cube, $ cubes, kubik$, $ cubico, $ cubicos, $ cubica, $ cubicas, $ cubo, $ cubi, $ cubed, kubieke $'

/** The square or the cube of a length: `km²`, `sq ft`, `metros cuadrados`, `Kubikmeter`. */
function toPower(row: Row, power: 2 | 3): Row {
  const { numerator, denominator } = readFactor(row.factor)
  const [sign, short, patterns] = power === 2 ? ['²', 'sq', SQUARE_NAMES] : ['³', 'cu', CUBE_NAMES]
  return {
    symbol: `${row.symbol}${sign}`,
    factor: `${numerator.pow(power).toFixed()}/${denominator.pow(power).toFixed()}`,
    symbols: [`${row.symbol}${power}`, `${row.symbol}^${power}`, `${short}${row.symbol}`],
    names: [...row.names, row.symbol].flatMap((name) => patterns.replaceAll('$', name).split(', ')),
    options: '',
  }
}

function addWithDerivedUnits(table: UnitTable, row: Row, dimension: Dimension): void {
  const prefixes = /^prefixes (.+)$/.exec(row.options)?.[1]?.split(' ') ?? []
  for (const derived of [row, ...prefixes.map((prefix) => withPrefix(row, prefix))]) {
    table.add(derived, dimension)
    if (dimension !== 'length' || !LENGTHS_WITH_POWERS.includes(derived.symbol)) continue
    table.add(toPower(derived, 2), 'area')
    table.add(toPower(derived, 3), 'volume')
  }
}

export const UNITS = new UnitTable()
for (const [dimension, text] of Object.entries(DIMENSIONS)) {
  // The keys are the dimensions.
  for (const row of rowsIn(text)) addWithDerivedUnits(UNITS, row, dimension as Dimension)
}

/** The units of each kind by their symbols, from the smallest to the largest. */
export function unitsByKind(): ReadonlyMap<Dimension, ReadonlyMap<string, Unit>> {
  const kinds = Map.groupBy(UNITS.all(), ({ dimension }) => dimension)
  return new Map(
    Array.from(kinds, ([kind, units]) => {
      const sorted = units.toSorted((one, other) => sizeOf(one).cmp(sizeOf(other)))
      return [kind, new Map(sorted.map((unit) => [unit.symbol, unit]))]
    }),
  )
}

const sizeOf = ({ numerator, denominator }: Unit): Decimal => numerator.div(denominator)

/** `undefined`: no result, as for 0 litres per 100 km in miles per gallon. */
export function convert(value: Decimal, from: Unit, to: Unit): Decimal | undefined {
  if (from.offset === undefined && to.offset === undefined && !from.isReciprocal && !to.isReciprocal) {
    // Divide only once, at the end: everything before it is exact.
    return value.times(from.numerator).times(to.denominator).div(from.denominator.times(to.numerator))
  }
  if (from.isReciprocal && value.isZero()) return undefined
  const shifted = value.plus(from.offset ?? 0)
  const [numerator, denominator] = from.isReciprocal
    ? [from.numerator, from.denominator.times(value)]
    : [shifted.times(from.numerator), from.denominator]
  if (to.isReciprocal)
    return numerator.isZero() ? undefined : to.numerator.times(denominator).div(to.denominator.times(numerator))
  return numerator
    .times(to.denominator)
    .div(denominator.times(to.numerator))
    .minus(to.offset ?? 0)
}

/** `0.3048`, or `1.609344/3.785411784`. */
function readFactor(text: string): { numerator: Decimal; denominator: Decimal } {
  const [numerator = '1', denominator = '1'] = text.split('/')
  return { numerator: new Exact(numerator), denominator: new Exact(denominator) }
}
