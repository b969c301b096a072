// The text of a page on lines: without invisible characters, and with every line break as \n.
import { visibleText } from './visible-text.ts'

/** Removes invisible characters and replaces lone surrogates. Line breaks and tabs stay. */
export const visibleLines = (text: string): string =>
  visibleText(text.toWellFormed().replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n'))

/** Collapses white space to single spaces, at the ends too, and removes invisible characters. */
export const collapsed = (text: string): string => visibleLines(text.replace(/[\s\x85]+/g, ' ')).replace(/ {2,}/g, ' ')

/** One line of at most `maxLength` characters, cut at the end of a word if there is one in the second half. */
export function oneLine(text: string, maxLength: number): string {
  const line = collapsed(text).trim()
  if (line.length <= maxLength) return line
  const wordEnd = line.lastIndexOf(' ', maxLength - 1)
  return `${line.slice(0, wordEnd > maxLength / 2 ? wordEnd : maxLength - 1).toWellFormed()}…`
}
