// Completions of a text: whole words for the last one begun, then phrases that fit any subject. Every provider orders
// them in its own way. `climate` has its own endings.
import { fraction, hash, mix } from './random.ts'

const WORDS = (
  'about academy address airport amsterdam analysis animals apartment apple architecture art atlas autumn baking banana ' +
  'bank beach bicycle birds blue book bread bridge budget building business butter calendar camera car castle chair ' +
  'cheese chess chicken children christmas city climate climbing clock cloud coffee colour computer concert cooking ' +
  'country cycling dance database delivery desert design dinner doctor document dog dream earth easter economy ' +
  'education electric energy engine english environment europe event example exercise family farm festival film ' +
  'finance fire fish flowers food football forest france free french fruit furniture game garden german germany ' +
  'glacier gold grammar green guitar hair health heat history holiday home horse hotel house how ice idea image ' +
  'insurance internet island italy japan jazz job journey kitchen knitting knife lake language laptop law learning ' +
  'lesson letter library light linux list london machine map market mathematics meaning medicine memory metal ' +
  'michigan milk mobile money moon mountain mouse museum music nature network news night north notebook number ocean ' +
  'office olive online open opera orange owls painting paper paris park parking pasta peace pencil people phone photo ' +
  'physics piano pizza plants poem police potato power price printer programming pump python quality question quick ' +
  'radio rain reading recipe red repair report restaurant river road robot rome running salad salary salt school ' +
  'science sea season shoes shop silver simple snow soap soup spain spring stars station stone story summer sun sushi ' +
  'table tea teacher temperature theatre ticket time tomato tools town toys train translation travel tree university ' +
  'vegetables video village violin volcano walking wall water weather website weight what wheat where white why wind ' +
  'window winter wood woodworking world writing year yellow yoga zoo'
).split(' ')

const ENDINGS: readonly string[] = [
  'meaning',
  'near me',
  'for beginners',
  'examples',
  'explained',
  'news',
  'history',
  'how it works',
  'ideas',
  'price',
  'pictures',
  'definition',
  'tutorial',
  'vs',
  'online',
  'reviews',
  'today',
  'facts',
  'pdf',
  'in english',
  'quotes',
  'tips',
]
const CLIMATE_ENDINGS: readonly string[] = [
  'change',
  'zones',
  'vs weather',
  'models explained',
  'change effects',
  'justice',
  'adaptation',
  'of the arctic',
  'graph',
  'science',
  'news today',
  'finance',
]

const MOST_WORDS = 8
const ENDINGS_OF_A_WORD = 4
/** How many ranks a provider may differ, and how far down it puts what it hardly knows. */
const NOISE_RANKS = 9
const KNOWN_SHARE = 0.7
const UNKNOWN_RANKS = 30

export interface SuggestionSearch {
  /** A provider's slug. */
  engine: string
  text: string
  count: number
}

/** In lower case, never the typed text itself, and as many as requested up to about twenty. */
export function suggest(seed: string, { engine, text, count }: SuggestionSearch): string[] {
  const typed = text.trim().toLowerCase().replace(/\s+/g, ' ')
  if (typed === '' || /\bnothingtofind\b/.test(typed)) return []
  const state = hash(`${seed}\n${engine}\n${typed}`)
  return completionsOf(typed)
    .map((completion, rank) => {
      const mark = mix(state, rank)
      const isKnown = fraction(mark, 0) < KNOWN_SHARE
      return { completion, score: rank + fraction(mark, 1) * NOISE_RANKS + (isKnown ? 0 : UNKNOWN_RANKS) }
    })
    .sort((left, right) => left.score - right.score)
    .slice(0, count)
    .map(({ completion }) => completion)
}

/** Best first. */
function completionsOf(typed: string): string[] {
  const lastWord = typed.slice(typed.lastIndexOf(' ') + 1)
  const before = typed.slice(0, typed.length - lastWord.length)
  const words = WORDS.filter((word) => word.startsWith(lastWord) && word !== lastWord).slice(0, MOST_WORDS)
  const whole = words.map((word) => before + word)
  const first = whole[0]
  return [
    ...new Set([
      ...(lastWord === 'climate' ? withEndings(typed, CLIMATE_ENDINGS) : []),
      ...whole,
      ...(words[0] === 'climate' ? withEndings(before + words[0], CLIMATE_ENDINGS) : []),
      ...(first === undefined ? [] : withEndings(first, ENDINGS.slice(0, ENDINGS_OF_A_WORD))),
      ...withEndings(typed, ENDINGS),
    ]),
  ]
}

const withEndings = (text: string, endings: readonly string[]): string[] => endings.map((ending) => `${text} ${ending}`)
