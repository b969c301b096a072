// Parses requests for a conversion in seven languages: `5 km in miles`, `convert 5 km to miles`, `how many feet in a
// mile`, `wie viele cm sind 5 zoll`, `20 euros en dollars`. It strips the words around the two sides; the answer
// decides whether the sides are units or currencies. A text may split in more than one way (`5 in in cm`), so this
// yields every split, the likeliest first.
import { LANGUAGES, type Language, type Question } from '../question.ts'
import { numberOfAnyWord } from './number-words.ts'
import { indexByFirstWord, isSpoken, type Phrase } from './read-triggers.ts'

export interface Conversion {
  from: TypedText
  to: TypedText
  /** The languages the stripped words may belong to. Never empty. */
  languages: readonly Language[]
  /** A word such as `convert` or `how many` asks for a conversion explicitly. */
  isAsked: boolean
}

export interface TypedText {
  /** As typed: `mW` is not `MW`. */
  text: string
  folded: string
}

const MAX_WORDS = 16
/** `half a cup in ml`, `une demi-tasse en ml`: an amount without digits. */
const FRACTION =
  /^(?:half|halve|halbe|demi|medi[oa]|mezz[oa]|mei[oa]|quarter|kwart|viertel|driekwart|dreiviertel|(?:one|three|un|une|trois|eine?[nrs]?|drei|um|una?|tres|tre|een) (?:half|halve|halbe|demi|quarter|quart|viertel|cuarto|kwart))/

/** Between the amount and the target. */
const LINKS: Readonly<Record<Language, string>> = {
  en: 'to | in | into | as | = | -> | → | => | is how many | are how many | equals how many | = how many | in how many | equals',
  fr: 'en | vers | a | font combien de | fait combien de | en combien de',
  de: 'in | nach | zu | sind wie viele | sind wieviele | sind wie viel | sind wieviel | ist wie viel | in wie viele',
  es: 'a | en | son cuantos | son cuantas | es cuanto en | cuanto es en',
  it: 'in | a | sono quanti | sono quante | quanto e in',
  pt: 'em | para | a | sao quantos | sao quantas | quanto e em',
  nl: 'naar | in | is hoeveel | zijn hoeveel',
}

/** Before `5 km to miles`. */
const ASKS: Readonly<Record<Language, string>> = {
  en: "convert | conversion | change | how much is | how much are | what is | what's | whats | what are | how tall is | how far is | how long is | how high is | how heavy is | how hot is | how cold is | how fast is | how big is | conversion of | calculate",
  fr: 'convertir | convertis | convertissez | conversion | conversion de | combien font | combien fait | combien valent | combien vaut',
  de: 'konvertiere | rechne | umrechnung | umrechnen | wie viel sind | wieviel sind | wie viel ist | wieviel ist | was sind | was ist',
  es: 'convertir | convierte | conversion | conversion de | convertir de | cuanto es | cuanto son | cuanto vale | cuantos son',
  it: 'converti | convertire | conversione | conversione di | quanto e | quanto sono | quanto fa | quanto fanno | quanto vale',
  pt: 'converter | converta | converte | conversao | conversao de | quanto e | quanto sao | quanto vale | quanto da',
  nl: 'converteer | omrekenen | reken | hoeveel is | hoeveel zijn | wat is',
}

/** Before `miles in 5 km`, where the target comes first. */
const COUNTS: Readonly<Record<Language, string>> = {
  en: 'how many | how much',
  fr: "combien de | combien d'",
  de: 'wie viele | wieviele | wie viel | wieviel',
  es: 'cuantos | cuantas | cuanto | cuanta',
  it: 'quanti | quante | quanto',
  pt: 'quantos | quantas | quanto',
  nl: 'hoeveel',
}

/** Between the target and the amount, after one of COUNTS. */
const COUNT_LINKS: Readonly<Record<Language, string>> = {
  en: 'are there in | are in | is in | in | are | is | make | makes | make up | equal | equals | to | for | per',
  fr: 'y a-t-il dans | il y a dans | y a t il dans | dans | en | font | fait | pour | valent | vaut | egalent',
  de: 'sind in | sind | ist | hat | in | ergeben | entsprechen | kosten',
  es: 'hay en | en | son | es | tiene | tienen | equivalen a',
  it: 'ci sono in | ci sono | in | sono | e | ha | fanno | fa',
  pt: 'ha em | existem em | cabem em | em | sao | e | tem | da',
  nl: 'zitten er in | zijn er in | gaan er in | in | is | zijn',
}

/** At the end: `5 km in meilen umrechnen`. */
const ENDINGS: ReadonlySet<string> = new Set(['umrechnen', 'omrekenen', 'conversion', 'converter', 'umrechnung'])

interface SplitPhrase extends Phrase {
  words: readonly string[]
}
type Phrases = ReadonlyMap<string, readonly SplitPhrase[]>

const phrasesIn = (table: Readonly<Record<Language, string>>): Phrases =>
  indexByFirstWord(
    LANGUAGES.flatMap((language) =>
      table[language]
        .split(' | ')
        .map((text): SplitPhrase => ({ text, words: text.split(' '), languages: [language] })),
    ),
  )

const links = phrasesIn(LINKS)
const asks = phrasesIn(ASKS)
const counts = phrasesIn(COUNTS)
const countLinks = phrasesIn(COUNT_LINKS)

/** Returns early for nearly every query: it must have an opening word, a digit, a fraction, or `to` as second word. */
export function* conversionsIn(question: Question): Generator<Conversion> {
  const { words } = question
  const first = words[0] ?? ''
  if (words.length < 3 || words.length > MAX_WORDS) return
  const hasOpeningWord = asks.has(first) || counts.has(first)
  const isNumbered =
    /\d/.test(question.folded) || numberOfAnyWord(first) !== undefined || FRACTION.test(question.folded)
  if (!hasOpeningWord && words[1] !== 'to' && !isNumbered) return
  const sentence = sentenceOf(question)
  for (const phrase of phrasesAt(asks, sentence, 0)) {
    yield* split(sentence, { links, start: phrase.words.length, opening: phrase, isReversed: false })
  }
  for (const phrase of phrasesAt(counts, sentence, 0)) {
    yield* split(sentence, { links: countLinks, start: phrase.words.length, opening: phrase, isReversed: true })
  }
  yield* split(sentence, { links, start: 0, opening: undefined, isReversed: false })
}

interface Sentence {
  words: readonly string[]
  typed: readonly string[]
  lang: Language | ''
}

function sentenceOf({ text, words, lang }: Question): Sentence {
  const typed = text.split(' ')
  // Folding occasionally splits a word; then the typed words no longer line up, so use the folded ones.
  const aligned = typed.length === words.length ? typed : words
  const last = words.length - 1
  const hasEnding = ENDINGS.has(words[last] ?? '') || words[last] === '?'
  const end = hasEnding ? last : words.length
  const cut = (list: readonly string[]) =>
    list.slice(0, end).map((word, at) => (at === end - 1 ? word.replace(/\?$/, '') : word))
  return { words: cut(words), typed: cut(aligned), lang }
}

interface Split {
  links: Phrases
  start: number
  opening: Phrase | undefined
  isReversed: boolean
}

function* split(sentence: Sentence, { links: between, start, opening, isReversed }: Split): Generator<Conversion> {
  const { words } = sentence
  for (let at = words.length - 2; at > start; at--) {
    for (const link of phrasesAt(between, sentence, at)) {
      const after = at + link.words.length
      if (after >= words.length) continue
      const [left, right] = [textBetween(sentence, start, at), textBetween(sentence, after, words.length)]
      yield {
        from: isReversed ? right : left,
        to: isReversed ? left : right,
        languages: languagesOf(opening, link),
        isAsked: opening !== undefined,
      }
    }
  }
}

const textBetween = ({ words, typed }: Sentence, from: number, to: number): TypedText => ({
  text: typed.slice(from, to).join(' '),
  folded: words.slice(from, to).join(' '),
})

/** The languages common to both: `quanto e` is Italian or Portuguese, and `em` decides. If none is, the opening's. */
function languagesOf(opening: Phrase | undefined, link: Phrase): readonly Language[] {
  const common = opening?.languages.filter((language) => link.languages.includes(language)) ?? link.languages
  return common.length > 0 ? common : (opening?.languages ?? link.languages)
}

/** The phrases at this position in the sentence. */
function phrasesAt(phrases: Phrases, { words, lang }: Sentence, at: number): readonly SplitPhrase[] {
  const known = phrases.get(words[at] ?? '') ?? []
  return known.filter(
    (phrase) => isSpoken(phrase, lang) && phrase.words.every((word, index) => words[at + index] === word),
  )
}

// The names of units and currencies narrow the languages down. `in` is English, German, Italian and Dutch, but `1.500 km
// in meilen` is German, where a point groups thousands. Words that most languages share (`euro`, `kilo`, `celsius`) don't
// help and aren't listed.

/** Folded, without prefixes such as `kilo`. */
const MEASURE_WORDS: Readonly<Record<Language, string>> = {
  en: 'metre metres meter meters inch inches foot feet yard yards mile miles nautical gram grams gramme grammes pound pounds ounce ounces stone stones ton tons tonne tonnes litre litres liter liters gallon gallons pint pints quart quarts cup cups tablespoon tablespoons teaspoon teaspoons second seconds minute minutes hour hours day days week weeks month months year years degree degrees joules watts calories acre acres hectares square cubic byte bytes bit bits knots hundredweight dollar dollars euros pounds sterling quid bucks francs rupees rubles crowns pesos yuan swiss canadian australian british american franc krone kroner krona kronor rupee ruble rouble roubles cents hectare watt joule calorie knot yens',
  fr: 'metre metres pouce pouces pied pieds yard yards verge verges mille milles miles marin marins gramme grammes livre livres once onces tonne tonnes litre litres gallon gallons pinte pintes tasse tasses cuillere cuilleres seconde secondes minute minutes heure heures jour jours semaine semaines mois an ans annee annees degre degres joules watts calories acre acres hectares carre carres cube cubes octet octets bits noeud noeuds dollar dollars euros sterling franc francs roupie roupies rouble roubles couronne couronnes pesos yens suisse suisses canadien canadiens',
  de: 'meter metern zoll fuss fuß yard yards meile meilen seemeile seemeilen gramm pfund unze unzen stone tonne tonnen zentner liter litern gallone gallonen pint pints tasse tassen essloffel teeloffel sekunde sekunden minute minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren grad joule watt kalorie kalorien acre hektar quadratmeter kubikmeter quadratkilometer byte bytes bit knoten dollar sterling franken rupien rubel krone kronen schweizer kanadische',
  es: 'metro metros pulgada pulgadas pie pies yarda yardas milla millas nautica nauticas gramo gramos libra libras onza onzas tonelada toneladas litro litros galon galones pinta pintas taza tazas cucharada cucharadas cucharadita cucharaditas segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos grado grados julios vatios caloria calorias acres hectareas cuadrado cuadrados cuadrada cuadradas cubico cubicos bytes bits nudo nudos dolar dolares euros esterlina esterlinas franco francos rupias rublos corona coronas pesos yenes reales mexicano mexicanos suizo suizos',
  it: 'metro metri pollice pollici piede piedi iarda iarde miglio miglia grammo grammi libbra libbre oncia once tonnellata tonnellate litro litri gallone galloni pinta pinte tazza tazze cucchiaio cucchiai cucchiaino cucchiaini secondo secondi minuto minuti ora ore giorno giorni settimana settimane mese mesi anno anni grado gradi joule watt caloria calorie acri ettaro ettari quadrato quadrati cubo cubi byte bit nodo nodi dollaro dollari sterlina sterline franco franchi rupie rubli corona corone svizzeri',
  pt: 'metro metros polegada polegadas pe pes jarda jardas milha milhas grama gramas libra libras onca oncas tonelada toneladas litro litros galao galoes xicara xicaras colher colheres segundo segundos minuto minutos hora horas dia dias semana semanas mes meses ano anos grau graus joules watts caloria calorias acres hectares quadrado quadrados cubico cubicos bytes bits nos dolar dolares euros esterlina esterlinas franco francos rupias rublos coroa coroas pesos ienes real reais suicos',
  nl: 'meter inch duim voet yard mijl mijlen zeemijl gram pond ponden ons ton liter gallon pint kopje kopjes eetlepel eetlepels theelepel theelepels seconde seconden minuut minuten uur uren dag dagen week weken maand maanden jaar jaren graden joule watt calorie calorieen acre hectare vierkante kubieke byte bytes bit knoop knopen dollar dollars sterling frank franken roepie roebel kroon kronen zwitserse',
}
const PREFIX =
  /^(?:kilo|chilo|quilo|centi|zenti|milli|mili|deci|dezi|hecto|hekto|mega|giga|tera|micro|mikro|nano)(?=[a-z]{3})/

const languagesByWord = new Map<string, Language[]>()
for (const [language, words] of Object.entries(MEASURE_WORDS)) {
  for (const word of new Set(words.split(' '))) {
    const languages = languagesByWord.get(word)
    // The keys are the languages.
    if (languages) languages.push(language as Language)
    else languagesByWord.set(word, [language as Language])
  }
}

/** The languages of the stripped words, narrowed down by the names on both sides. Never empty. */
export function likelyLanguages({ from, to, languages }: Conversion): readonly Language[] {
  let remaining = languages
  for (const word of `${from.folded} ${to.folded}`.split(/[^a-zß']+/)) {
    const known = languagesByWord.get(word) ?? languagesByWord.get(word.replace(PREFIX, ''))
    const narrowed = known ? remaining.filter((language) => known.includes(language)) : remaining
    if (narrowed.length > 0) remaining = narrowed
  }
  return remaining
}
