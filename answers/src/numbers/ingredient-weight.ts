// The weight of cups and spoons of ingredients: `2 cups flour in grams`, `1 tbsp honey in g`, `200 g sugar in cups`. The
// figures are USDA's (FoodData Central, SR Legacy), in grams to the US cup, and every kitchen packs a cup differently, so
// all results are estimates (`≈`). A German `Tasse` or a Spanish `taza` has no agreed size and stays unanswered, as do `1
// cup in grams`, `1 cup rice calories` and ingredients that aren't in the table.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { type Decimal, Exact, numberLocale, readNumber, writeRounded } from '../lib/numbers.ts'
import { regionOf } from '../question.ts'

/** Grams to the US cup, and the ingredient's names, the shown one first, in seven languages. */
const TABLE = `
125 flour|all-purpose flour|all purpose flour|plain flour|white flour|farine|mehl|weizenmehl|harina|farina|farinha|bloem
120 whole wheat flour|wholemeal flour|vollkornmehl|farine complete|harina integral|farina integrale|farinha integral
200 sugar|white sugar|granulated sugar|sucre|zucker|azucar|zucchero|acucar|suiker
220 brown sugar|packed brown sugar|sucre brun|brauner zucker|azucar moreno|zucchero di canna|acucar mascavado|bruine suiker
120 powdered sugar|icing sugar|confectioners sugar|confectioners' sugar|sucre glace|puderzucker|azucar glas|zucchero a velo|poedersuiker
227 butter|melted butter|beurre|mantequilla|burro|manteiga|boter
339 honey|miel|honig|miele|mel|honing
315 maple syrup|sirop d'erable|ahornsirup
337 molasses|melasse
244 milk|whole milk|lait|milch|leche|latte|leite|melk
238 cream|heavy cream|whipping cream|double cream|creme|sahne|nata|panna|slagroom
230 sour cream|creme aigre|saure sahne
245 yogurt|yoghurt|plain yogurt|greek yogurt|yaourt|joghurt|yogur|iogurte
216 olive oil|huile d'olive|olivenol|aceite de oliva|olio d'oliva|azeite|olijfolie
218 oil|vegetable oil|canola oil|sunflower oil|huile|ol|aceite|olio|oleo
185 rice|uncooked rice|white rice|riz|reis|arroz|riso|rijst
81 oats|rolled oats|oatmeal|flocons d'avoine|haferflocken|avena|fiocchi d'avena|aveia|havermout
86 cocoa|cocoa powder|cacao|kakao|kakaopulver|cacau
128 cornstarch|corn starch|cornflour|maizena|speisestarke|maicena|amido di mais
292 salt|table salt|sel|salz|sal|sale|zout
258 peanut butter|beurre de cacahuete|erdnussbutter|mantequilla de cacahuete|pindakaas
143 almonds|whole almonds|amandes|mandeln|almendras|mandorle|amendoas|amandelen
117 walnuts|chopped walnuts|noix|walnusse|nueces|noci|nozes|walnoten
109 pecans|chopped pecans
145 raisins|raisins secs|rosinen|pasas|uvetta|passas|rozijnen
168 chocolate chips|pepites de chocolat|schokotropfen
113 shredded cheddar|grated cheddar|shredded cheese|grated cheese
100 grated parmesan|parmesan
108 breadcrumbs|bread crumbs|chapelure|paniermehl|semmelbrosel|pan rallado|pangrattato|paneermeel
192 lentils|dry lentils|lentilles|linsen|lentejas|lenticchie|lentilhas|linzen
173 couscous
170 quinoa
`
const GRAMS_BY_NAME: ReadonlyMap<string, { name: string; gramsPerCup: number }> = new Map(
  TABLE.trim()
    .split('\n')
    .flatMap((line) => {
      const gramsPerCup = Number.parseInt(line, 10)
      const names = line.slice(String(gramsPerCup).length + 1).split('|')
      return names.map((name) => [name, { name: names[0] ?? '', gramsPerCup }] as const)
    }),
)

const US_CUP_ML = new Exact('236.5882365')

/** Millilitres. */
const VOLUMES: readonly (readonly [words: string, label: string, ml: Decimal])[] = [
  ['cup|cups', 'cup', US_CUP_ML],
  ['tbsp|tbsps|tablespoon|tablespoons|el|essloffel', 'tbsp', US_CUP_ML.div(16)],
  ['tsp|tsps|teaspoon|teaspoons|tl|teeloffel', 'tsp', US_CUP_ML.div(48)],
  ['ml|millilitre|millilitres|milliliter|milliliters', 'mL', new Exact(1)],
  ['l|litre|litres|liter|liters', 'L', new Exact(1000)],
]
const MASSES: readonly (readonly [words: string, label: string, grams: Decimal])[] = [
  ['g|gram|grams|gramme|grammes|gramm|gramo|gramos|grammi|grama|gramas', 'g', new Exact(1)],
  ['kg|kilo|kilos|kilogram|kilograms', 'kg', new Exact(1000)],
  ['oz|ounce|ounces', 'oz', new Exact('28.349523125')],
  ['lb|lbs|pound|pounds', 'lb', new Exact('453.59237')],
]
/** Where a cup has 250 mL and a tablespoon may have 20: the words don't say which was meant. */
const OTHER_CUPS = new Set(['AU', 'NZ', 'ZA', 'CA', 'GB', 'IE'])

const AMOUNT =
  '(?<amount>\\d[\\d.,]{0,7}|\\d{1,2}/\\d{1,2}|(?<whole>\\d{1,2}) (?<part>\\d/\\d)|an?|half an?|one|two|three|half)'
const OF = "(?:of |de |d'|di |von )?"
const INTO = '(?:in|to|into|en|em|a|zu)'
const anyOf = (units: readonly (readonly [string, ...unknown[]])[]): string => units.map(([words]) => words).join('|')
const THING = "(?<thing>[a-z][a-z' -]{1,30}?)"
const TO_MASS = new RegExp(
  `^(?:convert |how many (?:grams|g|ounces) (?:are |is )?in )?${AMOUNT} (?<from>${anyOf(VOLUMES)}) ${OF}${THING} ${INTO} (?<to>${anyOf(MASSES)})$`,
)
const HOW_MANY = new RegExp(
  `^how many (?<to>${anyOf(MASSES)}) (?:are |is )?(?:in )?${AMOUNT} (?<from>${anyOf(VOLUMES)}) ${OF}${THING}$`,
)
const TO_VOLUME = new RegExp(
  `^(?:convert )?${AMOUNT} ?(?<from>${anyOf(MASSES)}) ${OF}${THING} ${INTO} (?<to>${anyOf(VOLUMES)})$`,
)
const HINT = /cup|tbsp|tablespoon|tsp|teaspoon|\b[et]l\b|loffel|\bml\b|millilit|\bl\b|lit(?:re|er)/
const AMOUNT_WORDS: Readonly<Record<string, string>> = {
  a: '1',
  an: '1',
  one: '1',
  two: '2',
  three: '3',
  half: '0.5',
  'half a': '0.5',
  'half an': '0.5',
}
const MAX_AMOUNT = 10_000

type Unit = readonly [words: string, label: string, size: Decimal]

interface WeightMatch {
  amount: Decimal
  from: Unit
  to: Unit
  thing: { name: string; gramsPerCup: number }
}

export const ingredientWeight = defineAnswer({
  slug: 'ingredient_weight',
  title: 'Weight of ingredients',
  summary: 'About how much a cup or a spoon of an ingredient weighs, and how many cups a weight is.',
  examples: [
    { q: '2 cups flour in grams' },
    { q: '1 tbsp honey in g' },
    { q: '200 g sugar in cups' },
    { q: '3 EL Mehl in Gramm', lang: 'de' },
  ],
  reply: z.object({
    ingredient: z.string(),
    amount: z.string(),
    from: z.string(),
    result: z.string().describe('An estimate'),
    to: z.string(),
    grams_per_cup: z.int().describe('To the US cup of 236.6 mL'),
    attribution: z.string(),
  }),
  match(question): WeightMatch | null {
    const { folded, tag } = question
    if (!HINT.test(folded)) return null
    const text = folded.replace(/[?!. ]{1,5}$/, '')
    const mass = TO_MASS.exec(text)?.groups ?? HOW_MANY.exec(text)?.groups
    const groups = mass ?? TO_VOLUME.exec(text)?.groups
    const thing = GRAMS_BY_NAME.get(groups?.['thing'] ?? '')
    if (!groups || !thing) return null
    const [sources, targets] = mass ? [VOLUMES, MASSES] : [MASSES, VOLUMES]
    const [from, to] = [unitNamed(sources, groups['from']), unitNamed(targets, groups['to'])]
    const amount = readAmount(groups, numberLocale(question))
    const isOtherCup = OTHER_CUPS.has(regionOf(tag)) && [from, to].some((unit) => unit?.[1] === 'cup')
    if (!from || !to || !amount || isOtherCup) return null
    return { amount, from, to, thing }
  },
  answer({ amount, from, to, thing }, { question }) {
    const locale = numberLocale(question)
    const gramsPerMl = new Exact(thing.gramsPerCup).div(US_CUP_ML)
    const isToMass = MASSES.includes(to)
    const exact = isToMass
      ? amount.times(from[2]).times(gramsPerMl).div(to[2])
      : amount.times(from[2]).div(gramsPerMl).div(to[2])
    // Two digits are more than a cup deserves, but three keep 125 g from becoming 130 g.
    const rounded = exact.toSignificantDigits(3)
    const shown = (value: Decimal) => writeRounded(value, locale, value.decimalPlaces())
    return {
      text: `${shown(amount)} ${from[1]} ${thing.name} ≈ ${shown(rounded)} ${to[1]}`,
      ingredient: thing.name,
      amount: amount.toFixed(),
      from: from[1],
      result: rounded.toFixed(),
      to: to[1],
      grams_per_cup: thing.gramsPerCup,
      attribution: 'USDA FoodData Central',
    }
  },
})

const unitNamed = (units: readonly Unit[], word = ''): Unit | undefined =>
  units.find(([words]) => words.split('|').includes(word))

function readAmount({ amount = '', whole, part }: Record<string, string | undefined>, locale: string) {
  const [top, bottom] = (part ?? amount).split('/')
  const fraction = bottom === undefined ? undefined : new Exact(top ?? 0).div(bottom)
  if (fraction?.isFinite() === false) return undefined
  const plain = AMOUNT_WORDS[amount] ?? readNumber(amount, locale)
  const value = fraction ? fraction.plus(whole ?? 0) : plain === undefined ? undefined : new Exact(plain)
  return value?.gt(0) && value.lte(MAX_AMOUNT) ? value : undefined
}
