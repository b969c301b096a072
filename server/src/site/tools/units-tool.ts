// The unit converter: a kind, an amount and two units of that kind. The conversion is the instant answer's, which is exact;
// with script it is asked for again as one types, because a factor in the page would be rounded.

import { type Dimension, type Unit, unitsByKind } from '@bowerbird/answers/numbers/units/unit-table.ts'
import { convertUnits } from '@bowerbird/answers/numbers/units.ts'
import { html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { selectField } from '../parts/form.ts'
import { unitParts } from '../search/instant-parts.ts'
import { amountField, output, readDecimal, resultLanguage, resultOf, sentence, swapButton } from './converter-parts.ts'
import { defineTool, pathOf, type ToolParams } from './define-tool.ts'

const NAME = 'units'
/** Sorted when the first reader asks for them: it takes some milliseconds of a start. */
let kinds: ReturnType<typeof unitsByKind> | undefined
const allKinds = () => (kinds ??= unitsByKind())

/** What is converted if nothing is chosen; for other kinds, the first two units. */
const USUAL: Readonly<Partial<Record<Dimension, readonly [string, string]>>> = {
  length: ['mi', 'km'],
  mass: ['lb', 'kg'],
  temperature: ['°C', '°F'],
  volume: ['gal (US)', 'L'],
  area: ['acre', 'ha'],
  speed: ['mph', 'km/h'],
  time: ['h', 'min'],
  data: ['GB', 'MB'],
  data_rate: ['Mbit/s', 'MB/s'],
  energy: ['kcal', 'kJ'],
  power: ['PS', 'kW'],
  pressure: ['psi', 'bar'],
  fuel_economy: ['mpg (US)', 'L/100 km'],
  angle: ['°', 'rad'],
}

export const unitsTool = defineTool({
  name: NAME,
  title: ({ converters }) => converters.units.title,
  summary: ({ converters }) => converters.units.summary,
  calls: {
    en: [
      'unit converter',
      'units converter',
      'unit conversion',
      'convert units',
      'measurement converter',
      'metric converter',
    ],
    fr: ['convertisseur d’unités', 'convertisseur unités', 'conversion d’unités', 'convertir des unités'],
    de: [
      'einheitenrechner',
      'einheiten umrechnen',
      'einheitenumrechner',
      'umrechner einheiten',
      'maßeinheiten umrechnen',
    ],
    es: ['conversor de unidades', 'convertidor de unidades', 'conversión de unidades', 'convertir unidades'],
    it: [
      'convertitore di unità',
      'convertitore unità di misura',
      'convertitore di misure',
      'conversione unità di misura',
    ],
    pt: ['conversor de unidades', 'conversor de medidas', 'converter unidades'],
    nl: ['eenheden omrekenen', 'eenheden converter', 'eenhedenomrekenaar'],
    pl: ['przelicznik jednostek', 'konwerter jednostek', 'przeliczanie jednostek'],
  },
  fields: ['kind', 'amount', 'from', 'to', 'swap'],
  quota: 'suggestion',
  script: 'converter',
  view(context, params) {
    const { words } = context
    const { units: texts, ...shared } = words.converters
    const chosen = readChoice(params)
    const { kind, from, to, amount } = chosen
    const options = optionsIn(chosen, context)
    const action = pathOf({ name: NAME })
    return html`<form class="tool-kind" method="get" action="${action}" data-submit-on-change>${selectField({ name: 'kind', label: texts.kind, options: kindsIn(context), value: kind, idSuffix: 'tool' })}
<button type="submit" class="button button-plain needless-with-script">${texts.showKind}</button></form>
<form class="converter" method="get" action="${action}" data-converter="input"><input type="hidden" name="kind" value="${kind}">
${amountField(texts.amount, amount)}
${selectField({ name: 'from', label: shared.from, options, value: from.symbol, idSuffix: 'tool' })}${selectField({ name: 'to', label: shared.to, options, value: to.symbol, idSuffix: 'tool' })}
<div class="actions"><button type="submit" class="button button-primary">${shared.convert}</button>${swapButton(context)}</div></form>
${output(resultIn(context, chosen))}`
  },
})

interface Choice {
  kind: Dimension
  units: ReadonlyMap<string, Unit>
  from: Unit
  to: Unit
  amount: string
}

function readChoice({
  kind: asked,
  amount,
  swap,
  ...sides
}: ToolParams<'kind' | 'amount' | 'from' | 'to' | 'swap'>): Choice {
  const [kind, units] = [...allKinds()].find(([name]) => name === asked) ?? defaultKind()
  const [first, second = first] = units.values()
  if (!first || !second) throw new Error(`units-tool: no units of ${kind}`)
  const [usualFrom = '', usualTo = ''] = USUAL[kind] ?? []
  const from = units.get(sides.from) ?? units.get(usualFrom) ?? first
  const to = units.get(sides.to) ?? units.get(usualTo) ?? second
  return { kind, units, amount: amount || '1', ...(swap === '' ? { from, to } : { from: to, to: from }) }
}

function defaultKind(): [Dimension, ReadonlyMap<string, Unit>] {
  return ['length', allKinds().get('length') ?? new Map<string, Unit>()]
}

function resultIn(context: PageContext, { amount, from, to }: Choice): Piece {
  const { notNumber, units } = context.words.converters
  const value = readDecimal(amount)
  if (!value) return sentence(notNumber)
  const converted = convertUnits(value, { from, to, locale: resultLanguage(context) })
  if (!converted) return sentence(units.impossible)
  return converted.problem === null ? resultOf(context, unitParts(converted)) : sentence(converted.text)
}

function kindsIn({ words: { converters }, locale }: PageContext) {
  const kinds = [...allKinds().keys()].map((value) => ({ value, label: converters.units.kinds[value] }))
  return kinds.toSorted((one, other) => one.label.localeCompare(other.label, locale))
}

/** Units with a name come first, then those that are known by their symbols alone; each from small to large. */
function optionsIn({ kind, units }: Choice, { locale }: PageContext) {
  // As an acceleration, `g` isn't a gram.
  const nameIn = (symbol: string) => (kind === 'acceleration' ? '' : nameOf(symbol, locale))
  const options = [...units.keys()].map((value) => ({ value, name: nameIn(value) }))
  return options
    .toSorted((one, other) => Number(one.name === '') - Number(other.name === ''))
    .map(({ value, name }) => ({ value, label: name === '' ? value : `${value} · ${name}` }))
}

/** The units that Intl has names for, in every language. Its gallons and fluid ounces don't say which, so they aren't here. */
const INTL_UNITS: ReadonlyMap<string, string> = new Map(
  (
    'acre:acre bit:bit B:byte °C:celsius cm:centimeter d:day °:degree °F:fahrenheit ft:foot Gbit:gigabit GB:gigabyte g:gram ' +
    'ha:hectare h:hour in:inch kbit:kilobit kB:kilobyte kg:kilogram km:kilometer L:liter Mbit:megabit MB:megabyte m:meter ' +
    'µs:microsecond mi:mile mL:milliliter mm:millimeter ms:millisecond min:minute mo:month ns:nanosecond oz:ounce PB:petabyte ' +
    'lb:pound s:second st:stone Tbit:terabit TB:terabyte wk:week yd:yard yr:year km/h:kilometer-per-hour ' +
    'mph:mile-per-hour m/s:meter-per-second'
  )
    .split(' ')
    .map((pair) => [pair.slice(0, pair.lastIndexOf(':')), pair.slice(pair.lastIndexOf(':') + 1)]),
)

/** `kilometres`; '' if it has only a symbol. */
function nameOf(symbol: string, locale: string): string {
  const unit = INTL_UNITS.get(symbol)
  if (unit === undefined) return ''
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  const parts = format.formatToParts(2)
  return parts
    .filter(({ type }) => type === 'unit')
    .map(({ value }) => value)
    .join(' ')
}
