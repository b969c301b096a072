// Constants of mathematics and physics: `speed of light`, `value of pi`, `avogadro's number`, `lichtgeschwindigkeit`.
// The whole query must be a constant's name, alone or after words such as `value of`. `pi day`, `raspberry pi`, `light
// speed film` and `planck telescope` are ordinary searches. What isn't exact is marked with ≈.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { numberLocale, writeNumber } from '../lib/numbers.ts'
import { colonIn } from '../lib/write-text.ts'
import { fold, LANGUAGES, type Language, type Question } from '../question.ts'

/**
 * id | symbol | value | unit | source | names in each of LANGUAGES, of which the first is shown. Seven values of the SI are
 * exact by definition, and so are their products; the others are CODATA's recommended values of 2022. A name after `~`
 * is that of a topic too, so it counts only after a word that asks for the value.
 */
const TABLE = `
pi | π | ≈ 3.14159265358979323846264338328 | | mathematics | pi, the number pi, π | pi, le nombre pi, nombre pi | pi, kreiszahl, kreiszahl pi | pi, el número pi, número pi | pi greco, pi | pi, o número pi, número pi | pi, getal pi, het getal pi
e | e | ≈ 2.71828182845904523536028747135 | | mathematics | Euler’s number, Eulers number, Euler number, Napier's constant | nombre d’Euler | eulersche Zahl | número de Euler | numero di Nepero, numero di Eulero | número de Euler | getal van Euler
golden_ratio | φ | ≈ 1.61803398874989484820458683437 | | mathematics | golden ratio | ~nombre d’or | ~goldener Schnitt, ~goldene Zahl | ~número áureo, ~proporción áurea, ~razón áurea | ~sezione aurea, ~rapporto aureo | ~proporção áurea, ~razão áurea, ~número de ouro | ~gulden snede
speed_of_light | c | = 299792458 | m/s | SI | speed of light, light speed, speed of light in vacuum, speed of light in m/s | vitesse de la lumière | Lichtgeschwindigkeit | velocidad de la luz | velocità della luce | velocidade da luz | lichtsnelheid
gravitational_constant | G | ≈ 6.67430e-11 | m³ kg⁻¹ s⁻² | CODATA 2022 | gravitational constant, universal gravitational constant, Newton's constant | constante gravitationnelle, constante de gravitation, constante universelle de gravitation | Gravitationskonstante | constante de gravitación universal, constante de gravitación | costante di gravitazione universale, costante gravitazionale | constante gravitacional, constante gravitacional universal | gravitatieconstante
avogadro | N_A | = 6.02214076e23 | mol⁻¹ | SI | Avogadro constant, Avogadro's number, Avogadros number, Avogadro number, Avogadro's constant | nombre d’Avogadro, constante d'Avogadro | Avogadro-Konstante, Avogadro Konstante, Avogadrozahl, Avogadro-Zahl, Avogadro Zahl | número de Avogadro, constante de Avogadro | numero di Avogadro, costante di Avogadro | número de Avogadro, constante de Avogadro | getal van Avogadro, constante van Avogadro
planck | h | = 6.62607015e-34 | J s | SI | Planck constant, Planck's constant, Plancks constant | constante de Planck | plancksches Wirkungsquantum, Planck-Konstante, Planck Konstante | constante de Planck | costante di Planck | constante de Planck | constante van Planck
boltzmann | k | = 1.380649e-23 | J/K | SI | Boltzmann constant, Boltzmann's constant, Boltzmanns constant | constante de Boltzmann | Boltzmann-Konstante, Boltzmann Konstante | constante de Boltzmann | costante di Boltzmann | constante de Boltzmann | boltzmannconstante, constante van Boltzmann
elementary_charge | e | = 1.602176634e-19 | C | SI | elementary charge, charge of an electron, electron charge | charge élémentaire | Elementarladung | carga elemental, carga del electrón | carica elementare, carica dell'elettrone | carga elementar, carga do eletrão, carga do elétron | elementaire lading
gas_constant | R | = 8.31446261815324 | J mol⁻¹ K⁻¹ | SI | gas constant, ideal gas constant, universal gas constant, molar gas constant | constante des gaz parfaits, constante universelle des gaz parfaits | universelle Gaskonstante, Gaskonstante, allgemeine Gaskonstante | constante universal de los gases, constante de los gases | costante dei gas, costante universale dei gas | constante universal dos gases, constante dos gases | gasconstante
faraday | F | = 96485.3321233100184 | C/mol | SI | Faraday constant, Faraday's constant | constante de Faraday | Faraday-Konstante, Faraday Konstante | constante de Faraday | costante di Faraday | constante de Faraday | constante van Faraday
electron_mass | mₑ | ≈ 9.1093837139e-31 | kg | CODATA 2022 | electron mass, mass of an electron, mass of the electron | masse de l’électron | Elektronenmasse, Masse des Elektrons | masa del electrón | massa dell’elettrone | massa do eletrão, massa do elétron | massa van een elektron, massa van het elektron
proton_mass | mₚ | ≈ 1.67262192595e-27 | kg | CODATA 2022 | proton mass, mass of a proton, mass of the proton | masse du proton | Protonenmasse, Masse des Protons | masa del protón | massa del protone | massa do protão, massa do próton | massa van een proton, massa van het proton
fine_structure_constant | α | ≈ 0.0072973525643 | | CODATA 2022 | fine-structure constant, fine structure constant | constante de structure fine | Feinstrukturkonstante | constante de estructura fina | costante di struttura fine | constante de estrutura fina | fijnstructuurconstante
standard_gravity | g | = 9.80665 | m/s² | SI | standard gravity, acceleration due to gravity, acceleration of gravity, gravitational acceleration | pesanteur normale, accélération de la pesanteur | Normfallbeschleunigung, Erdbeschleunigung, Fallbeschleunigung | gravedad estándar, aceleración de la gravedad | accelerazione di gravità standard, accelerazione di gravità | gravidade padrão, aceleração da gravidade | standaardvalversnelling, valversnelling
astronomical_unit | au | = 149597870700 | m | IAU 2012 | astronomical unit | unité astronomique | astronomische Einheit | unidad astronómica | unità astronomica | unidade astronómica, unidade astronômica | astronomische eenheid
`

interface Constant {
  id: string
  symbol: string
  /** `=` for an exact value, otherwise `≈`. */
  sign: string
  value: string
  unit: string
  source: string
  /** In the order of LANGUAGES. */
  names: readonly string[]
}

interface NamedConstant {
  constant: Constant
  language: Language
}

const folded = (name: string): string => fold(name).replace(/’/g, "'")

const byName = new Map<string, NamedConstant>()
const byTopic = new Map<string, NamedConstant>()
/** For a quick look: nearly every query ends with another word. */
const lastWords = new Set<string>()
for (const line of TABLE.trim().split('\n')) {
  const [id = '', symbol = '', number = '', unit = '', source = '', ...columns] = line
    .split('|')
    .map((cell) => cell.trim())
  const [sign = '', value = ''] = number.split(' ')
  const names = columns.map((column) => column.split(', '))
  const shown = names.map(([first = '']) => first.replace('~', ''))
  for (const [at, language] of LANGUAGES.entries()) {
    const entry = { constant: { id, symbol, sign, value, unit, source, names: shown }, language }
    for (const name of names[at] ?? []) {
      const [index, plain] = name.startsWith('~') ? [byTopic, name.slice(1)] : [byName, name]
      lastWords.add(folded(plain).split(' ').at(-1) ?? '')
      // A name that several languages share belongs to the first.
      if (!index.has(folded(plain))) index.set(folded(plain), entry)
    }
  }
}

/** Words before the name that ask for nothing else. */
const OPENING =
  /^(?:(?:what(?:'s|s| is)|was ist|wie gross ist|quelle est|quel est|combien vaut|cual es|cuanto vale|qual e|quanto vale|wat is) )?(?:(?:the|die|der|das|la|le|el|il|o|a|de|het|lo) |l')?(?:(?:exact )?value of |wert von |valeur (?:de |d'|du )|valor (?:de |del |da |do )|valore (?:di |della |del )|waarde van )?(?:(?:the|la|le|el|il|o|a|de|het) |l')?/
const VALUE = /wert|val[eo]|waarde/
const MAX_LENGTH = 70

const SOURCES: Readonly<Record<string, Readonly<Record<Language, string>> | undefined>> = {
  mathematics: {
    en: '30 digits',
    fr: '30 chiffres',
    de: '30 Stellen',
    es: '30 cifras',
    it: '30 cifre',
    pt: '30 algarismos',
    nl: '30 cijfers',
  },
}

export const constants = defineAnswer({
  slug: 'constants',
  title: 'Constants',
  summary: 'The values of well-known constants of mathematics and physics, with their source.',
  examples: [
    { q: 'speed of light' },
    { q: 'value of pi' },
    { q: 'Avogadro’s number' },
    { q: 'Lichtgeschwindigkeit', lang: 'de' },
    { q: 'constante de Planck', lang: 'fr' },
  ],
  reply: z.object({
    constant: z.string().describe('Such as speed_of_light'),
    symbol: z.string(),
    value: z.string(),
    unit: z.string().describe('Empty for a mere number'),
    is_exact: z.boolean(),
    source: z.string(),
  }),
  match: readConstant,
  answer({ constant, language, locale }) {
    const { id, symbol, sign, value, unit, source, names } = constant
    const name = names[LANGUAGES.indexOf(language)] ?? id
    const title = `${name.charAt(0).toLocaleUpperCase(locale)}${name.slice(1)}`
    const number = writeNumber(value, locale, { full: 40, digits: 40 })
    const from = SOURCES[source]?.[language] ?? source
    return {
      text: `${title}${colonIn(language)} ${symbol} ${sign} ${number}${unit && ` ${unit}`} (${from})`,
      constant: id,
      symbol,
      value,
      unit,
      is_exact: sign === '=',
      source,
    }
  },
})

function readConstant(question: Question): { constant: Constant; language: Language; locale: string } | null {
  if (question.folded.length > MAX_LENGTH) return null
  const text = question.folded.replace(/[?. ]{1,3}$/, '')
  if (!lastWords.has(text.slice(text.lastIndexOf(' ') + 1))) return null
  const named = text.replace(OPENING, '')
  const found = byName.get(text) ?? byName.get(named) ?? (VALUE.test(text) ? byTopic.get(named) : undefined)
  if (!found) return null
  const language = question.lang || found.language
  return { constant: found.constant, language, locale: numberLocale(question, language) }
}
