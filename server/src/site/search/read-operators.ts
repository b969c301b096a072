// The operators of the search field: `site:` `-site:` `before:` `after:` `filetype:` `intitle:` and quotation marks. They
// become bounds of the search, so that they hold for every engine: those that understand an operator get it, and what the
// others find is checked (`search/result-bounds.ts`, `search/text-operators.ts`). The API takes `q` as it is.
//
// What looks like an operator and can't be understood stays an ordinary word, and the page says so.
import type { ResultBounds } from '@bowerbird/engines/engine.ts'
import { MAX_DOMAINS, readDay, readDomains } from '../../search/read-filters.ts'

export interface ReadText {
  /** What the engines are asked; not empty unless the text is. */
  text: string
  bounds: ResultBounds
  /** The operators that aren't in the text, as they were written. */
  operators: readonly string[]
  /** What looks like an operator and isn't one that we understand, as it was written. */
  notUnderstood: readonly string[]
}

const PIECE = /(-?)(?:(site|before|after|filetype|intitle):)?(?:"([^"]*)"|(\S+))/gi
const FILE_TYPE = /^\.?([a-z\d]{1,8})$/i
/** As many as there may be domains. */
const MAX_OPERATORS = MAX_DOMAINS

interface Reading {
  words: string[]
  include: string[]
  exclude: string[]
  fileTypes: string[]
  titleWords: string[]
  phrases: string[]
  from: number[]
  to: number[]
  operators: string[]
  notUnderstood: string[]
}

interface Piece {
  /** All of it, as written. */
  whole: string
  isNegative: boolean
  value: string
}

export function readOperators(written: string): ReadText {
  const plain: ReadText = { text: written, bounds: {}, operators: [], notUnderstood: [] }
  if (!/[:"]/.test(written)) return plain
  const reading = readPieces(written)
  const { operators, notUnderstood } = reading
  if (operators.length === 0) return { ...plain, bounds: boundsOf(reading), notUnderstood }
  const text = reading.words.join(' ') || reading.include.join(' ')
  // Nothing but limits: there is nothing to search for within them, so they are taken as words.
  if (text === '') return { ...plain, notUnderstood: operators }
  return { text, bounds: boundsOf(reading), operators, notUnderstood }
}

function readPieces(written: string): Reading {
  const reading: Reading = {
    words: [],
    include: [],
    exclude: [],
    fileTypes: [],
    titleWords: [],
    phrases: [],
    from: [],
    to: [],
    operators: [],
    notUnderstood: [],
  }
  const pieces = [...written.matchAll(PIECE)]
  for (const [at, [whole, minus = '', name = '', quoted, bare = '']] of pieces.entries()) {
    // Several sites are alternatives anyway.
    if (whole === 'OR' && isSite(pieces[at - 1]) && isSite(pieces[at + 1])) continue
    const piece = { whole, isNegative: minus !== '', value: (quoted ?? bare).trim() }
    const read = name !== '' ? READERS[name.toLowerCase()] : quoted === undefined ? undefined : readPhrase
    const isUnderstood = read && reading.operators.length < MAX_OPERATORS && read(piece, reading)
    if (isUnderstood && name !== '') reading.operators.push(whole)
    if (!isUnderstood) reading.words.push(whole)
    if (read && !isUnderstood) reading.notUnderstood.push(whole)
  }
  return reading
}

const isSite = (piece: RegExpMatchArray | undefined): boolean => piece?.[2]?.toLowerCase() === 'site' && piece[1] === ''

/** Each returns whether it understood the piece. */
const READERS: Readonly<Record<string, (piece: Piece, reading: Reading) => boolean>> = {
  site({ value, isNegative }, { include, exclude }) {
    const written = value.replace(/^https?:\/\//i, '').replace(/\/$/, '')
    // A path would be ignored.
    const [domain] = written.includes('/') ? [] : (readDomains([written]) ?? [])
    const domains = isNegative ? exclude : include
    if (domain === undefined) return false
    domains.push(domain)
    return true
  },
  // The day itself is not before it, but it is after.
  before: ({ value, isNegative }, { to }) => pushUnless(isNegative, to, addTo(firstMoment(value), -1)),
  after: ({ value, isNegative }, { from }) => pushUnless(isNegative, from, firstMoment(value)),
  filetype: ({ value, isNegative }, { fileTypes }) =>
    pushUnless(isNegative, fileTypes, FILE_TYPE.exec(value)?.[1]?.toLowerCase()),
  intitle({ value, isNegative }, { titleWords, words }) {
    if (isNegative || value === '') return false
    titleWords.push(value)
    words.push(value)
    return true
  },
}

/** A phrase stays in the text, in its quotation marks. */
function readPhrase({ whole, value, isNegative }: Piece, { words, phrases }: Reading): boolean {
  if (value !== '') words.push(whole)
  if (value !== '' && !isNegative) phrases.push(value)
  return true
}

function pushUnless<Value>(isNegative: boolean, values: Value[], value: Value | undefined): boolean {
  if (isNegative || value === undefined) return false
  values.push(value)
  return true
}

const addTo = (time: number | undefined, ms: number): number | undefined => (time === undefined ? time : time + ms)

/** Of a year, a month or a day. */
const firstMoment = (value: string): number | undefined =>
  readDay(/^\d{4}$/.test(value) ? `${value}-01-01` : /^\d{4}-\d{2}$/.test(value) ? `${value}-01` : value, 'first')

/** Without members that limit nothing. */
const boundsOf = ({ include, exclude, fileTypes, titleWords, phrases, from, to }: Reading): ResultBounds => ({
  ...(include.length > 0 && { includeDomains: unique(include) }),
  ...(exclude.length > 0 && { excludeDomains: unique(exclude) }),
  ...(from.length > 0 && { dateFrom: Math.max(...from) }),
  ...(to.length > 0 && { dateTo: Math.min(...to) }),
  ...(fileTypes.length > 0 && { fileTypes: unique(fileTypes) }),
  ...(titleWords.length > 0 && { titleWords: unique(titleWords) }),
  ...(phrases.length > 0 && { phrases: unique(phrases) }),
})

/** Sorted, so that their order means nothing. */
const unique = (values: readonly string[]): string[] => [...new Set(values)].sort()
