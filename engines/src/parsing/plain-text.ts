// Turns a provider's title or snippet into plain text: removes tags, then decodes entities once, then collapses white
// space. The order matters: decoding first would make `&lt;b&gt;` vanish. The result is text, not safe HTML: it may
// well contain `<b>`, so pages must escape it.
// Every step takes time linear in the input, however hostile, and returns clean text unchanged.
import { hasInvisible, visibleText } from '@bowerbird/reader/visible-text.ts'
import { decodeHTMLStrict } from 'entities/decode'

const SPACE = 0x20
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27
const SLASH = 0x2f
const LESS_THAN = 0x3c
const GREATER_THAN = 0x3e

/** Tags that separate words; the others may occur inside a word, as in `<b>hand</b>book`. */
const SEPARATING_TAGS = new Set(
  'address article blockquote br dd div dl dt h1 h2 h3 h4 h5 h6 hr li ol p pre section table td th tr ul'.split(' '),
)

/** True for most texts: there is nothing to collapse, trim, drop or replace. */
const isTidy = (text: string): boolean =>
  !SPACES.test(text) &&
  !hasInvisible(text) &&
  !text.includes('  ') &&
  !text.startsWith(' ') &&
  !text.endsWith(' ') &&
  text.isWellFormed()

/** Removes invisible characters, collapses and trims white space, replaces lone surrogates. */
const tidied = (text: string): string =>
  isTidy(text)
    ? text
    : visibleText(text)
        .replace(/[\s\x85]+/g, ' ')
        .trim()
        .toWellFormed()

/** The end of the tag name that starts at `at`. */
const nameEnd = (markup: string, at: number): number => {
  for (let end = at; end < markup.length; end++) {
    const code = markup.charCodeAt(end)
    if (code === GREATER_THAN || code === SLASH || code === SPACE) return end
  }
  return markup.length
}

/** Just past the `>` that closes a tag, ignoring any in quoted attributes. The end of the text closes everything. */
const tagEnd = (markup: string, at: number): number => {
  let quote = 0
  for (let end = at; end < markup.length; end++) {
    const code = markup.charCodeAt(end)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === GREATER_THAN) {
      return end + 1
    } else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) {
      quote = code
    }
  }
  return markup.length
}

const indexAfter = (markup: string, mark: string, at: number): number => {
  const found = markup.indexOf(mark, at)
  return found === -1 ? markup.length : found + mark.length
}

/** Just past `</script>` or `</style>`: everything before it is not text. */
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
  separatesWords: boolean
}

/** The tag, comment or declaration that starts at this `<`; `undefined` if it is only a less-than sign. */
const tagAt = (markup: string, at: number): Tag | undefined => {
  const next = markup.charAt(at + 1)
  if (next === '!' || next === '?') {
    const isComment = markup.startsWith('--', at + 2)
    return {
      end: isComment ? indexAfter(markup, '-->', at + 2) : indexAfter(markup, '>', at + 2),
      separatesWords: false,
    }
  }
  const nameAt = next === '/' ? at + 2 : at + 1
  if (!isAsciiLetter(markup.charCodeAt(nameAt))) {
    return next === '/' ? { end: indexAfter(markup, '>', nameAt), separatesWords: false } : undefined
  }
  const afterName = nameEnd(markup, nameAt)
  const name = markup.slice(nameAt, afterName).toLowerCase()
  const end = tagEnd(markup, afterName)
  const hidesContent = next !== '/' && (name === 'script' || name === 'style')
  return { end: hidesContent ? contentEnd(markup, name, end) : end, separatesWords: SEPARATING_TAGS.has(name) }
}

const withoutTags = (markup: string): string => {
  let output = ''
  let from = 0
  for (let at = markup.indexOf('<'); at !== -1; ) {
    const tag = tagAt(markup, at)
    if (tag === undefined) {
      at = markup.indexOf('<', at + 1)
      continue
    }
    output += markup.slice(from, at)
    // Without the space, the text on both sides of the tag could join into a new tag: `<<i>b>`.
    if (tag.separatesWords || (at > from && markup.charCodeAt(at - 1) === LESS_THAN)) output += ' '
    from = tag.end
    at = markup.indexOf('<', from)
  }
  return from === 0 ? markup : output + markup.slice(from)
}

/** Named entities need a semicolon, numeric ones don't. The longest name has 31 letters. */
const ENTITY = /&(?:#x[\da-f]+;?|#\d+;?|[a-z][a-z\d]{1,30};)/gi

const REPLACEMENT_CHARACTER = '\ufffd'

/** An entity whose number isn't a character, such as `&#0;`, becomes ''. */
const decodeEntity = (entity: string): string =>
  decodeHTMLStrict(entity.endsWith(';') ? entity : `${entity};`).replace(REPLACEMENT_CHARACTER, '')

const decodeEntities = (text: string): string => text.replace(ENTITY, decodeEntity)

/** Cuts to `maxLength`, at a word boundary if there is one in the second half. */
const shortened = (text: string, maxLength: number): string => {
  if (text.length <= maxLength) return text
  if (maxLength < 1) return ''
  const wordEnd = text.lastIndexOf(' ', maxLength - 1)
  const kept = text.slice(0, wordEnd > maxLength / 2 ? wordEnd : maxLength - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}

export const plainText = (markup: string, maxLength = Number.POSITIVE_INFINITY): string => {
  let text = tidied(markup)
  if (text.includes('<')) text = tidied(withoutTags(text))
  if (text.includes('&')) text = tidied(decodeEntities(text))
  return shortened(text, maxLength)
}

/** White space other than the plain space. */
const SPACES = /[^\S ]|\x85/

const isAsciiLetter = (code: number): boolean => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)

/** Enough for a description, and short enough for regular expressions that backtrack. */
const MAX_SAMPLE_LENGTH = 3000
const MAX_DESCRIPTION_LENGTH = 400

/**
 * Turns the start of a Markdown page, as providers for language models send it, into a plain description without images,
 * link targets, headings, tables, quotes and emphasis.
 */
export const markdownText = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, MAX_SAMPLE_LENGTH)
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,1000}\)/g, ' ')
    .replace(/\[([^\]]{0,500})\]\([^)]{0,1000}\)/g, '$1')
    // Only at the start of a line: a minus or a hash inside one belongs to the text.
    .replace(/^[ \t]*(?:[#>*+-]+[ \t]+|[|=_~`*-]{3,})/gm, '')
    .replace(/\*\*|__|`+|\|/g, ' ')
  return plainText(text, MAX_DESCRIPTION_LENGTH)
}
