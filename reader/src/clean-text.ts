// Removes characters from a page's text that are invisible but have an effect: control characters, those that change
// the direction of writing, and those used to hide text from people and show it to language models. The joiners of
// Persian, Hindi and emoji stay.

/** Soft hyphens, zero-width spaces, direction overrides, the tag block, and control characters except \t and \n. */
const INVISIBLE = /[[\p{Cc}--[\t\n]]\xad\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gv

/** Line breaks and tabs stay; half surrogate pairs are replaced. */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|\x85|\u2028|\u2029/g, '\n')
    .replace(INVISIBLE, '')

/** White space collapsed to single spaces, at the ends too. */
export const collapsed = (text: string): string => visibleText(text.replace(/[\s\x85]+/g, ' ')).replace(/ {2,}/g, ' ')

/** One line of at most `most` characters, cut at the end of a word if there is one in the second half. */
export function oneLine(text: string, most: number): string {
  const line = collapsed(text).trim()
  if (line.length <= most) return line
  const wordEnd = line.lastIndexOf(' ', most - 1)
  return `${line.slice(0, wordEnd > most / 2 ? wordEnd : most - 1).toWellFormed()}…`
}
