// Removes characters from a page's text that are invisible but have an effect: control characters, those that change
// the direction of writing, and those used to hide text from people and show it to language models. The joiners of
// Persian, Hindi and emoji stay.

/** Soft hyphens, zero-width spaces, direction overrides, the tag block, and control characters except \t and \n. */
const INVISIBLE = /[[\p{Cc}--[\t\n]]\xad\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gv

/** Removes invisible characters and replaces lone surrogates. Line breaks and tabs stay. */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|\x85|\u2028|\u2029/g, '\n')
    .replace(INVISIBLE, '')

/** Collapses white space to single spaces, at the ends too, and removes invisible characters. */
export const collapsed = (text: string): string => visibleText(text.replace(/[\s\x85]+/g, ' ')).replace(/ {2,}/g, ' ')

/** One line of at most `maxLength` characters, cut at the end of a word if there is one in the second half. */
export function oneLine(text: string, maxLength: number): string {
  const line = collapsed(text).trim()
  if (line.length <= maxLength) return line
  const wordEnd = line.lastIndexOf(' ', maxLength - 1)
  return `${line.slice(0, wordEnd > maxLength / 2 ? wordEnd : maxLength - 1).toWellFormed()}…`
}
