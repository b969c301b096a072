// Turns the start of a Markdown page, as providers for language models send it, into a plain description without
// images, link targets, headings, tables, quotes and emphasis.
import { plainText } from './plain-text.ts'

/** Enough for a description, and short enough for regular expressions that backtrack. */
const LONGEST_SAMPLE = 3000
const LONGEST_DESCRIPTION = 400

export const markdownText = (value: unknown): string => {
  if (typeof value !== 'string') return ''
  const text = value
    .slice(0, LONGEST_SAMPLE)
    .replace(/!\[[^\]]{0,500}\]\([^)]{0,1000}\)/g, ' ')
    .replace(/\[([^\]]{0,500})\]\([^)]{0,1000}\)/g, '$1')
    // Only at the start of a line: a minus or a hash inside one belongs to the text.
    .replace(/^[ \t]*(?:[#>*+-]+[ \t]+|[|=_~`*-]{3,})/gm, '')
    .replace(/\*\*|__|`+|\|/g, ' ')
  return plainText(text, LONGEST_DESCRIPTION)
}
