// The passages of pages that a query is about, for a language model that can't read the pages themselves. Ranked by BM25
// over all passages of all pages together, without a model: a passage is good if it has the query's words, the rarer the
// better, and little else.
//
// A passage is a block of a page's Markdown, what is between two empty lines; a long block is several. Links are left
// out of it, because their addresses would use up most of some budgets.
import { markdownWindowOf, type TextWindow } from './text-window.ts'

export interface Passage {
  /** From 1. Headings count as blocks, and are no passages. */
  block: number
  /** Where the passage begins in the page, in characters of its Markdown. */
  start: number
  /** The heading above it, without Markdown; '' if there is none. */
  heading: string
  /** Markdown. */
  text: string
}

/** What comes after is no part of the search for passages: a page this long takes milliseconds. */
const MAX_PAGE_LENGTH = 100_000
/** About 300 tokens. */
const MAX_PASSAGE_LENGTH = 1_200
/** Of a block with code, for which each part of it looks at all that is before. */
const MAX_CODE_LENGTH = 20_000
/** Of a page. One that is nothing but very short blocks has as many, and most pages a few dozen. */
const MAX_PASSAGES = 2_000
/** Each passage has its heading, which counts in no budget. */
const MAX_HEADING_LENGTH = 200

const FENCE = /^(?:> |- |\d+\. | )*(`{3,})[\w+#-]*$/
const HEADING = /^#{1,6} (.*)$/

/** `markdown` is from `markdown.ts`. */
export function passagesOf(markdown: string): Passage[] {
  const passages: Passage[] = []
  let heading = ''
  for (const [at, { start, text }] of blocksOf(markdown.slice(0, MAX_PAGE_LENGTH)).entries()) {
    const title = HEADING.exec(text)?.[1]
    if (title !== undefined) heading = headingOf(title)
    else if (text !== '---')
      for (const part of partsOf(text)) passages.push({ block: at + 1, heading, ...part, start: start + part.start })
    if (passages.length >= MAX_PASSAGES) break
  }
  return passages
}

const headingOf = (title: string): string =>
  plainOf(title)
    .slice(0, MAX_HEADING_LENGTH)
    // Half of a character that the cut has divided.
    .replace(/[\uD800-\uDBFF]$/, '')

interface Part {
  start: number
  text: string
}

/** Splits at empty lines outside of code. */
function blocksOf(markdown: string): Part[] {
  const blocks: Part[] = []
  let lines: string[] = []
  let start = 0
  let at = 0
  let fence = ''
  const end = () => {
    if (lines.length > 0) blocks.push({ start, text: lines.join('\n') })
    lines = []
  }
  for (const line of markdown.split('\n')) {
    const ticks = FENCE.exec(line)?.[1]
    if (ticks !== undefined && (fence === '' || fence === ticks)) fence = fence === '' ? ticks : ''
    if (line === '' && fence === '') end()
    else {
      if (lines.length === 0) start = at
      lines.push(line)
    }
    at += line.length + 1
  }
  end()
  return blocks
}

/** Where a long block is cut, best first: after a line, a sentence, a word. */
const CUTS = ['\n', '. ', '。', ' ']

function partsOf(block: string): Part[] {
  const parts: Part[] = []
  const hasCode = block.includes('```')
  const text = hasCode ? block.slice(0, MAX_CODE_LENGTH) : block
  for (let start = 0; start < text.length; ) {
    const length = text.length - start <= MAX_PASSAGE_LENGTH ? text.length - start : lengthOfPart(text, start)
    const part = hasCode ? markdownWindowOf(text, start, length) : windowWithoutCode(text, start, length)
    parts.push({ start, text: withoutLinks(part.content.trim()) })
    start += part.length
  }
  return parts
}

/** Without code, a part depends on nothing but the characters beside it. */
function windowWithoutCode(text: string, start: number, length: number): TextWindow {
  const before = Math.min(start, 1)
  return markdownWindowOf(text.slice(start - before, start + length + 1), before, length)
}

function lengthOfPart(text: string, start: number): number {
  // Only here: a cut that isn't there would be looked for in all of the text.
  const from = start + MAX_PASSAGE_LENGTH / 2 + 1
  const half = text.slice(from, start + MAX_PASSAGE_LENGTH)
  for (const cut of CUTS) {
    const at = half.lastIndexOf(cut)
    if (at !== -1) return from + at + cut.length - start
  }
  return MAX_PASSAGE_LENGTH
}

/** The words of a link never contain a bracket that isn't escaped. */
const LINK = /(?<!\\)\[((?:\\.|[^\\[\]])*)\]\(https?:[^\s()<>]+\)/g

/** Code may look like a link. */
const withoutLinks = (text: string): string => (text.includes('`') ? text : text.replace(LINK, '$1'))

const plainOf = (markdown: string): string =>
  withoutLinks(markdown)
    .replace(/\\(?=[!-/:-@[-`{-~])|\*\*|`/g, '')
    .trim()

/**
 * An estimate of how many tokens a language model makes of a text: four letters of a Latin script to a token, two of most
 * others, and one each of Chinese, Japanese and Korean.
 */
export function tokensOf(text: string): number {
  let quarters = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    quarters += code < 0x370 ? 1 : code < 0x2e80 ? 2 : 4
  }
  return Math.ceil(quarters / 4)
}

const WORD = /[\p{L}\p{N}]+/gu
/** Scripts that don't put spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u
/** Longer words are compared by their beginning, so that most forms of a word are one. */
const STEM_LENGTH = 6

/** The words to compare, without accents and endings; of a script without spaces, every two characters. */
function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .matchAll(WORD)) {
    if (!UNSPACED.test(word)) terms.push(word.slice(0, STEM_LENGTH))
    else for (let at = 0; at < Math.max(1, word.length - 1); at++) terms.push(word.slice(at, at + 2))
  }
  return terms
}

/** The usual constants of BM25: how soon a repeated word adds nothing, and how much a long passage is at a disadvantage. */
const SATURATION = 1.2
const LENGTH_NORMALISATION = 0.75

/** Of a query. So many words are a paragraph, and its first ones say what it is about. */
const MAX_QUERY_TERMS = 64

/** A passage with how often it and its heading have each term of the query, and how many terms they have in all. */
interface CountedPassage {
  page: number
  passage: Passage
  counts: number[]
  length: number
}

interface Scored {
  page: number
  passage: Passage
  score: number
}

/** The passages of pages that are added one by one, because counting the words of a long one takes milliseconds. */
export interface PassageRanking {
  add: (passages: readonly Passage[]) => void
  /**
   * Chooses the best passages of all pages, as far as the budget goes. Returns those of each page in the order of the
   * page. If no passage has a word of the query, the beginnings of the pages are the best there is.
   */
  choose: (maxTokens: number) => Passage[][]
}

export function rankPassages(query: string): PassageRanking {
  const wanted = [...new Set(termsOf(query))].slice(0, MAX_QUERY_TERMS)
  const terms = {
    places: new Map(wanted.map((term, place) => [term, place])),
    firstCharacters: new Set(wanted.map((term) => term.charCodeAt(0))),
  }
  const counted: CountedPassage[] = []
  let pageCount = 0
  return {
    add(passages) {
      const page = pageCount
      pageCount += 1
      for (const passage of passages) counted.push({ page, passage, ...countTerms(passage, terms) })
    },
    choose(maxTokens) {
      const chosen: Passage[][] = Array.from({ length: pageCount }, () => [])
      let left = maxTokens
      for (const { page, passage } of sortByScore(counted, wanted.length)) {
        const tokens = tokensOf(passage.text)
        // A shorter one may still fit.
        if (tokens > left) continue
        left -= tokens
        chosen[page]?.push(passage)
      }
      return chosen.map((passages) => passages.sort((one, other) => one.start - other.start))
    },
  }
}

interface QueryTerms {
  /** At which index each is counted. */
  places: ReadonlyMap<string, number>
  /** Looking up a string that V8 hasn't seen before is slow, and most terms of a passage begin with another one. */
  firstCharacters: ReadonlySet<number>
}

/** One pass over the text, however many terms the query has. */
function countTerms(
  { heading, text }: Passage,
  { places, firstCharacters }: QueryTerms,
): Pick<CountedPassage, 'counts' | 'length'> {
  const terms = [...termsOf(heading), ...termsOf(text)]
  const counts = Array.from({ length: places.size }, () => 0)
  for (const term of terms) {
    const place = firstCharacters.has(term.charCodeAt(0)) ? places.get(term) : undefined
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1
  }
  return { counts, length: terms.length }
}

function sortByScore(all: readonly CountedPassage[], termCount: number): Scored[] {
  const meanLength = all.reduce((sum, { length }) => sum + length, 0) / all.length
  const weights = Array.from({ length: termCount }, (_, term) => {
    const having = all.filter(({ counts }) => (counts[term] ?? 0) > 0).length
    return Math.log(1 + (all.length - having + 0.5) / (having + 0.5))
  })
  const scored = all.map(({ page, passage, counts, length }) => {
    const brake = SATURATION * (1 - LENGTH_NORMALISATION + (LENGTH_NORMALISATION * length) / meanLength)
    const score = counts.reduce((sum, count, term) => sum + ((weights[term] ?? 0) * count) / (count + brake), 0)
    return { page, passage, score }
  })
  const matching = scored.filter(({ score }) => score > 0)
  return matching.length > 0 ? matching.sort((one, other) => other.score - one.score) : inTurn(scored)
}

/** The first passage of each page, then the second of each, and so on. */
function inTurn(scored: readonly Scored[]): Scored[] {
  const places = new Map<number, number>()
  return scored
    .map((one) => {
      const place = (places.get(one.page) ?? 0) + 1
      places.set(one.page, place)
      return { one, place }
    })
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
}
