// Turns what a provider calls a title or a snippet into plain text: tags out, then entities decoded once, then white
// space collapsed. The order matters: decoding first would make `&lt;b&gt;` vanish. The result is text, not safe HTML:
// it may well contain `<b>`, and whoever writes a page escapes it.
// Every step takes time linear in the input, whatever a hostile page put there, and returns clean text untouched.
import { characterKind, isAsciiLetter } from './character-kind.ts'

const SPACE = 0x20
const DOUBLE_QUOTE = 0x22
const AMPERSAND = 0x26
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const LESS = 0x3c
const GREATER = 0x3e
const DELETE = 0x7f

/** The HTML 4 names of U+00A0 to U+00FF, in order. */
const LATIN_1_NAMES =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times ' +
  'Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave ' +
  'eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave ' +
  'uacute ucirc uuml yacute thorn yuml'

const OTHER_NAMES =
  'quot " amp & lt < gt > apos \' AMP & LT < GT > QUOT " OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ ' +
  'tilde ˜ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … ' +
  'permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › euro € trade ™ larr ← uarr ↑ rarr → darr ↓ harr ↔ minus − le ≤ ge ≥ ' +
  'ne ≠ asymp ≈ infin ∞ sum ∑ radic √ alpha α beta β gamma γ delta δ epsilon ε lambda λ mu μ pi π sigma σ omega ω ' +
  'Delta Δ Omega Ω'

const NAMED = new Map<string, string>([
  ['ensp', ' '],
  ['emsp', ' '],
  ['thinsp', ' '],
  ['zwnj', '\u200c'],
  ['zwj', '\u200d'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
])
for (const [index, name] of LATIN_1_NAMES.split(' ').entries()) NAMED.set(name, String.fromCharCode(0xa0 + index))
for (const pair of OTHER_NAMES.matchAll(/(\S+) (\S+)/g)) NAMED.set(pair[1] ?? '', pair[2] ?? '')

const LONGEST_NAME = Math.max(...[...NAMED.keys()].map((name) => name.length))

/** What &#128; to &#159; mean to a browser: the characters of windows-1252. U+FFFD stands where it has none. */
const WINDOWS_1252 = '€�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•–—˜™š›œ�žŸ'

/** Tags that part words; the others may stand inside one, as in `<b>hand</b>book`. */
const PARTING_TAGS = new Set(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul'.split(' '),
)

/** Whether there is nothing to do, which is so for most texts. */
const isPlain = (text: string): boolean => {
  let previous = SPACE
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === LESS || code === AMPERSAND || code < SPACE || (code === SPACE && previous === SPACE)) return false
    if (code >= DELETE && characterKind(code) !== 'ordinary') return false
    previous = code
  }
  return (previous !== SPACE || text === '') && text.isWellFormed()
}

/** White space collapsed and trimmed, disturbing characters dropped, half surrogate pairs replaced. */
const tidied = (text: string): string => {
  let done = ''
  let from = 0
  let endsInSpace = true
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const kind = characterKind(code)
    if (kind === 'ordinary') {
      endsInSpace = false
    } else if (code === SPACE && !endsInSpace) {
      endsInSpace = true
    } else {
      done += text.slice(from, at)
      from = at + 1
      if (kind === 'space' && !endsInSpace) {
        done += ' '
        endsInSpace = true
      }
    }
  }
  const whole = from === 0 ? text : done + text.slice(from)
  const trimmed = endsInSpace && whole !== '' ? whole.slice(0, -1) : whole
  return trimmed.isWellFormed() ? trimmed : trimmed.toWellFormed()
}

/** Where the name of a tag that begins at `at` ends. */
const nameEnd = (markup: string, at: number): number => {
  for (let end = at; end < markup.length; end++) {
    const code = markup.charCodeAt(end)
    if (code === GREATER || code === SLASH || code === SPACE) return end
  }
  return markup.length
}

/** Just past the `>` that closes a tag; a `>` in a quoted attribute does not. The end of the text closes everything. */
const tagEnd = (markup: string, at: number): number => {
  let quote = 0
  for (let end = at; end < markup.length; end++) {
    const code = markup.charCodeAt(end)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === GREATER) {
      return end + 1
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      quote = code
    }
  }
  return markup.length
}

const past = (markup: string, mark: string, at: number): number => {
  const found = markup.indexOf(mark, at)
  return found === -1 ? markup.length : found + mark.length
}

/** Just past `</script>` or `</style>`: what stands before it is not text. */
const contentEnd = (markup: string, name: string, at: number): number => {
  for (let end = markup.indexOf('</', at); end !== -1; end = markup.indexOf('</', end + 2)) {
    const stop = end + 2 + name.length
    if (markup.slice(end + 2, stop).toLowerCase() === name && nameEnd(markup, stop) === stop)
      return tagEnd(markup, stop)
  }
  return markup.length
}

interface Tag {
  end: number
  partsWords: boolean
}

/** The tag, comment or declaration that begins at this `<`, or undefined if it is only a less-than sign. */
const tagAt = (markup: string, at: number): Tag | undefined => {
  const next = markup.charAt(at + 1)
  if (next === '!' || next === '?') {
    const isComment = markup.startsWith('--', at + 2)
    return { end: isComment ? past(markup, '-->', at + 2) : past(markup, '>', at + 2), partsWords: false }
  }
  const nameAt = next === '/' ? at + 2 : at + 1
  if (!isAsciiLetter(markup.charCodeAt(nameAt))) {
    return next === '/' ? { end: past(markup, '>', nameAt), partsWords: false } : undefined
  }
  const afterName = nameEnd(markup, nameAt)
  const name = markup.slice(nameAt, afterName).toLowerCase()
  const end = tagEnd(markup, afterName)
  const hidesContent = next !== '/' && (name === 'script' || name === 'style')
  return { end: hidesContent ? contentEnd(markup, name, end) : end, partsWords: PARTING_TAGS.has(name) }
}

const withoutTags = (markup: string): string => {
  let done = ''
  let from = 0
  for (let at = markup.indexOf('<'); at !== -1; ) {
    const tag = tagAt(markup, at)
    if (tag === undefined) {
      at = markup.indexOf('<', at + 1)
      continue
    }
    done += markup.slice(from, at)
    // Without the space, what stands on both sides of the tag could join to a new one: `<<i>b>`.
    if (tag.partsWords || (at > from && markup.charCodeAt(at - 1) === LESS)) done += ' '
    from = tag.end
    at = markup.indexOf('<', from)
  }
  return from === 0 ? markup : done + markup.slice(from)
}

const characterOf = (code: number): string => {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80).replace('\ufffd', '')
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return ''
  return String.fromCodePoint(code)
}

interface Entity {
  end: number
  character: string
}

/** What a digit of base 16 or lower stands for; 16 or more for any other character. */
const digitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  return isAsciiLetter(code) ? (code | 0x20) - 0x57 : 16
}

const numericEntityAt = (text: string, at: number): Entity | undefined => {
  const radix = text.charAt(at + 2).toLowerCase() === 'x' ? 16 : 10
  const digitsAt = radix === 16 ? at + 3 : at + 2
  let code = 0
  let end = digitsAt
  for (; end < text.length; end++) {
    const digit = digitOf(text.charCodeAt(end))
    if (digit >= radix) break
    code = Math.min(code * radix + digit, 0x110000)
  }
  if (end === digitsAt) return undefined
  return { end: text.charAt(end) === ';' ? end + 1 : end, character: characterOf(code) }
}

const namedEntityAt = (text: string, at: number): Entity | undefined => {
  const limit = Math.min(at + 2 + LONGEST_NAME, text.length)
  for (let end = at + 1; end < limit; end++) {
    const character = text.charAt(end)
    if (character === '&' || character === ' ') return undefined
    if (character !== ';') continue
    const meant = NAMED.get(text.slice(at + 1, end))
    return meant === undefined ? undefined : { end: end + 1, character: meant }
  }
  return undefined
}

const decoded = (text: string): string => {
  let done = ''
  let from = 0
  for (let at = text.indexOf('&'); at !== -1; ) {
    const entity = text.charAt(at + 1) === '#' ? numericEntityAt(text, at) : namedEntityAt(text, at)
    if (entity !== undefined) {
      done += text.slice(from, at) + entity.character
      from = entity.end
    }
    at = text.indexOf('&', entity?.end ?? at + 1)
  }
  return from === 0 ? text : done + text.slice(from)
}

/** At most `maxLength` long, cut after a whole word if there is one in the second half. */
const shortened = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  if (maxLength < 1) return ''
  const wordEnd = text.lastIndexOf(' ', maxLength - 1)
  const kept = text.slice(0, wordEnd > maxLength / 2 ? wordEnd : maxLength - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

export const plainText = (markup: string, maxLength = Number.POSITIVE_INFINITY): string => {
  if (isPlain(markup)) return shortened(markup, maxLength)
  let text = tidied(markup)
  if (text.includes('<')) text = tidied(withoutTags(text))
  if (text.includes('&')) text = tidied(decoded(text))
  return shortened(text, maxLength)
}
