// `filetype:`, `intitle:` and quotation marks. An engine that declares an operator gets it in its query and is believed:
// only it has seen the whole page. What the others find is checked against what we know of a page: its address, its title
// and its description. Images and videos have no description, so quotation marks can't be checked there; whoever asks is
// told (`uncheckedSlots`).
import {
  type EngineTab,
  type Hit,
  type ResultBounds,
  TABS,
  type Tab,
  type TextOperator,
} from '@bowerbird/engines/engine.ts'

type Operators = Pick<EngineTab<unknown, unknown>, 'operators'>
type Wanted = Pick<ResultBounds, 'fileTypes' | 'titleWords' | 'phrases'>

/** Tabs whose hits have a description. */
const TEXT_TABS: ReadonlySet<Tab> = new Set(TABS.filter((tab) => tab !== 'images' && tab !== 'videos'))

/** Who sees to it that the hits of an engine keep to an operator: the provider, we, or no one. */
export function operatorCheckedBy(
  operator: TextOperator,
  name: Tab,
  { operators }: Operators,
): 'provider' | 'us' | 'none' {
  if (operators?.includes(operator)) return 'provider'
  return operator === 'quotes' && !TEXT_TABS.has(name) ? 'none' : 'us'
}

/** The text with the operators that this engine understands. Phrases are already in it. */
export function withOperators(query: Wanted & { text: string }, { operators = [] }: Operators): string {
  const { text, fileTypes = [], titleWords = [] } = query
  const types = operators.includes('filetype') ? fileTypes.map((type) => `filetype:${type}`) : []
  const titles = operators.includes('intitle') ? titleWords.map((words) => `intitle:${quotedIfLong(words)}`) : []
  // A page has one type: several are alternatives.
  const typed = types.length > 1 ? [`(${types.join(' OR ')})`] : types
  return [text, ...titles, ...typed].join(' ')
}

const quotedIfLong = (words: string): string => (words.includes(' ') ? `"${words}"` : words)

/** Whether a hit keeps to the operators, as far as its provider doesn't see to that. */
export function keepsToOperators(
  hit: Hit,
  { fileTypes = [], titleWords = [], phrases = [] }: Wanted,
  { operators = [] }: Operators,
): boolean {
  if (fileTypes.length > 0 && !operators.includes('filetype') && !fileTypes.includes(fileTypeOf(hit.url))) return false
  if (titleWords.length > 0 && !operators.includes('intitle') && !hasAll(hit.title, titleWords)) return false
  if (phrases.length === 0 || operators.includes('quotes') || hit.kind === 'image' || hit.kind === 'video') return true
  return hasAll(`${hit.title} | ${hit.description}`, phrases)
}

/** The slots whose hits nobody checked for the phrases. */
export function uncheckedSlots(
  name: Tab,
  { phrases = [] }: Wanted,
  asks: readonly { slot: { name: string }; tab: Operators }[],
): string[] {
  if (phrases.length === 0) return []
  const unchecked = asks.filter(({ tab }) => operatorCheckedBy('quotes', name, tab) === 'none')
  return [...new Set(unchecked.map(({ slot }) => slot.name))]
}

const ENDING = /\.([a-z\d]{1,8})$/

const fileTypeOf = (address: string): string => ENDING.exec(URL.parse(address)?.pathname.toLowerCase() ?? '')?.[1] ?? ''

/** Scripts that put no spaces between words. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** Whole words, in any case and with any punctuation between them. */
function hasAll(text: string, wanted: readonly string[]): boolean {
  const words = ` ${plainWords(text)} `
  return wanted.every((phrase) => {
    const plain = plainWords(phrase)
    return plain === '' || words.includes(SPACELESS.test(plain) ? plain : ` ${plain} `)
  })
}

const plainWords = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
