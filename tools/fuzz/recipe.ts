// A recipe makes a text of any size: some parts stand once, others are repeated or nested until the text is as long as
// asked for. So one recipe shows how the cost of a kind of input grows, and takes a few bytes to keep.

/** A piece of one of the surface's examples. */
interface Excerpt {
  seed: number
  from: number
  to: number
}

/** `{n}` in it becomes a number that rises with every repetition. */
interface Repeated {
  repeat: string
  share: number
}

/** The closing text follows at the very end. */
interface Nested {
  open: string
  close: string
  share: number
}

type Part = string | Excerpt | Repeated | Nested
export type Recipe = readonly Part[]

const isFilling = (part: Part): part is Repeated | Nested => typeof part === 'object' && 'share' in part

const fixedText = (part: string | Excerpt, seeds: readonly string[]): string =>
  typeof part === 'string' ? part : (seeds[part.seed] ?? '').slice(part.from, part.to)

/** At most `size` bytes, and about that many if something in it is repeated. */
export function render(recipe: Recipe, size: number, seeds: readonly string[]): string {
  let fixedBytes = 0
  let shares = 0
  for (const part of recipe) {
    if (isFilling(part)) shares += part.share
    else fixedBytes += Buffer.byteLength(fixedText(part, seeds))
  }
  const free = Math.max(0, size - fixedBytes)
  let text = ''
  let end = ''
  for (const part of recipe) {
    if (!isFilling(part)) {
      text += fixedText(part, seeds)
      continue
    }
    const unit = 'repeat' in part ? part.repeat : part.open + part.close
    const count = Math.floor((free * part.share) / shares / Math.max(1, Buffer.byteLength(unit)))
    if ('repeat' in part) text += repeated(part.repeat, count)
    else {
      text += part.open.repeat(count)
      end = part.close.repeat(count) + end
    }
  }
  text += end
  return Buffer.byteLength(text) <= size ? text : Buffer.from(text).subarray(0, size).toString()
}

function repeated(text: string, count: number): string {
  if (!text.includes('{n}')) return text.repeat(count)
  return Array.from({ length: count }, (_, at) => text.replaceAll('{n}', at.toString(36))).join('')
}

export interface Mutation {
  seeds: readonly string[]
  words: readonly string[]
  /** An integer from 0 up to, not including, `below`. */
  random: (below: number) => number
}

const MAX_PARTS = 12
const MAX_REPEATED_LENGTH = 60
const PAIRS = [
  ['(', ')'],
  ['[', ']'],
  ['{"a":', '}'],
  ['[1,', ']'],
  ['<b>', '</b>'],
  ['<div>', '</div>'],
  ['<ul><li>', '</li></ul>'],
  ['> ', ''],
  ['"', '"'],
] as const

/** The recipe after one to four random changes; `other` lends its end to some. */
export function mutate(recipe: Recipe, other: Recipe, mutation: Mutation): Recipe {
  let parts = [...recipe]
  for (let changes = 1 + mutation.random(4); changes > 0; changes -= 1) parts = change(parts, other, mutation)
  return parts.slice(0, MAX_PARTS)
}

function change(parts: Part[], other: Recipe, { seeds, words, random }: Mutation): Part[] {
  const pick = <Item>(list: readonly Item[]): Item | undefined => list[random(list.length)]
  const word = (): string => pick(words) ?? ' '
  const share = (): number => 1 + random(4)
  const at = random(parts.length + 1)
  const part = parts[at]
  switch (random(8)) {
    case 0:
      return insert(parts, { repeat: word(), share: share() }, { random, seeds })
    case 1:
      return insert(parts, { repeat: word() + word(), share: share() }, { random, seeds })
    case 2:
      return insert(parts, { repeat: `${word()}{n}${word()}`, share: share() }, { random, seeds })
    case 3: {
      const [open, close] = pick(PAIRS) ?? ['', '']
      return insert(parts, { open, close, share: share() }, { random, seeds })
    }
    case 4:
      return insert(parts, word(), { random, seeds })
    case 5:
      return parts.toSpliced(at, 1)
    case 6:
      return [...parts.slice(0, at), ...other.slice(random(other.length + 1))]
    default:
      return part === undefined ? parts : parts.toSpliced(at, 1, altered(part))
  }

  function altered(old: Part): Part {
    if (!isFilling(old)) {
      // What stood once is now repeated.
      const text = fixedText(old, seeds)
      const from = random(text.length + 1)
      return { repeat: text.slice(from, from + 1 + random(MAX_REPEATED_LENGTH)) || ' ', share: share() }
    }
    if ('open' in old) return { ...old, share: share() }
    const from = random(old.repeat.length + 1)
    const text = old.repeat.slice(0, from) + word() + old.repeat.slice(from + random(3))
    return { repeat: text.slice(0, MAX_REPEATED_LENGTH), share: share() }
  }
}

/** Anywhere, or behind a mark that opens or separates: what stands there often leaves JSON or XML whole. */
function placeIn(text: string, random: Mutation['random']): number {
  const anywhere = random(text.length + 1)
  if (random(2) === 0) return anywhere
  const [mark] = text.slice(anywhere).match(/["[{,>]/) ?? []
  return mark === undefined ? anywhere : text.indexOf(mark, anywhere) + 1
}

/** Between two parts, or inside of one that stands once. */
function insert(parts: Part[], added: Part, { random, seeds }: Pick<Mutation, 'random' | 'seeds'>): Part[] {
  const at = random(parts.length + 1)
  const part = parts[at]
  if (part === undefined || isFilling(part) || random(4) === 0) return parts.toSpliced(at, 0, added)
  const middle = placeIn(fixedText(part, seeds), random)
  const halves: Part[] =
    typeof part === 'string'
      ? [part.slice(0, middle), added, part.slice(middle)]
      : [{ ...part, to: part.from + middle }, added, { ...part, from: part.from + middle }]
  return parts.toSpliced(at, 1, ...halves)
}
