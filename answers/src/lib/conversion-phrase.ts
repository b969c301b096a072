// Parses requests for a conversion in seven languages: `5 km in miles`, `convert 5 km to miles`, `how many feet in a
// mile`, `wie viele cm sind 5 zoll`, `20 euros en dollars`. It strips the words around the two sides; the caller
// decides whether those are units or currencies. A text may split in more than one way (`5 in in cm`), so this yields
// every split, the likeliest first.

import { LANGUAGES, type Language, type Question } from '../question.ts'

export interface Conversion {
  from: Said
  to: Said
  /** The languages the stripped words may belong to. Never empty. */
  languages: readonly Language[]
  /** A word such as `convert` or `how many` asks for a conversion explicitly. */
  isAsked: boolean
}

export interface Said {
  /** As typed: `mW` is not `MW`. */
  text: string
  folded: string
}

const MOST_WORDS = 16
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
  en: "convert | conversion | change | how much is | how much are | what is | what's | what are | conversion of | calculate",
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

interface Phrase {
  words: readonly string[]
  languages: readonly Language[]
}
type Phrases = ReadonlyMap<string, readonly Phrase[]>

const links = byFirstWord(LINKS)
const asks = byFirstWord(ASKS)
const counts = byFirstWord(COUNTS)
const countLinks = byFirstWord(COUNT_LINKS)

/** Returns early for nearly every query: it needs an opening word, a digit, a fraction word, or `to` as second word. */
export function* conversionsIn(question: Question): Generator<Conversion> {
  const { words } = question
  const first = words[0] ?? ''
  if (words.length < 3 || words.length > MOST_WORDS) return
  const isAsked = asks.has(first) || counts.has(first)
  if (!isAsked && words[1] !== 'to' && !/\d/.test(question.folded) && !FRACTION.test(question.folded)) return
  const sentence = sentenceOf(question)
  for (const phrase of said(asks, sentence, 0)) {
    yield* split(sentence, { links, start: phrase.words.length, opening: phrase, isReversed: false })
  }
  for (const phrase of said(counts, sentence, 0)) {
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
  const pairs = typed.length === words.length ? typed : words
  const last = words.length - 1
  const isOver = ENDINGS.has(words[last] ?? '') || words[last] === '?'
  const end = isOver ? last : words.length
  const cut = (list: readonly string[]) =>
    list.slice(0, end).map((word, at) => (at === end - 1 ? word.replace(/\?$/, '') : word))
  return { words: cut(words), typed: cut(pairs), lang }
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
    for (const link of said(between, sentence, at)) {
      const after = at + link.words.length
      if (after >= words.length) continue
      const [left, right] = [part(sentence, start, at), part(sentence, after, words.length)]
      yield {
        from: isReversed ? right : left,
        to: isReversed ? left : right,
        languages: languagesOf(opening, link),
        isAsked: opening !== undefined,
      }
    }
  }
}

const part = ({ words, typed }: Sentence, from: number, to: number): Said => ({
  text: typed.slice(from, to).join(' '),
  folded: words.slice(from, to).join(' '),
})

/** The languages common to both: `quanto e` is Italian or Portuguese, and `em` decides. */
function languagesOf(opening: Phrase | undefined, link: Phrase): readonly Language[] {
  const common = opening?.languages.filter((language) => link.languages.includes(language)) ?? link.languages
  return common.length > 0 ? common : (opening?.languages ?? link.languages)
}

function said(phrases: Phrases, { words, lang }: Sentence, at: number): readonly Phrase[] {
  const known = phrases.get(words[at] ?? '')
  if (known === undefined) return []
  return known.filter(
    (phrase) =>
      (lang === '' || phrase.languages.includes(lang) || phrase.languages.includes('en')) &&
      phrase.words.every((word, index) => words[at + index] === word),
  )
}

/** Longest phrases first; a phrase shared by several languages gets one entry. */
function byFirstWord(table: Readonly<Record<Language, string>>): Phrases {
  const known = new Map<string, { words: string[]; languages: Language[] }[]>()
  for (const language of LANGUAGES) {
    for (const text of table[language].split(' | ')) {
      const words = text.split(' ')
      const same = known.get(words[0] ?? '') ?? []
      const twin = same.find((phrase) => phrase.words.join(' ') === text)
      if (twin) twin.languages.push(language)
      else same.push({ words, languages: [language] })
      known.set(words[0] ?? '', same)
    }
  }
  for (const same of known.values()) same.sort((left, right) => right.words.length - left.words.length)
  return known
}
