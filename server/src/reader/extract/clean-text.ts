// Takes out of a page's text what cannot be seen but does something: control characters, those that turn the direction
// of writing, and those with which text is hidden from people and shown to language models. The joiners of Persian,
// Hindi and emoji stay.

/** Soft hyphens, zero-width spaces, direction overrides, the tag block; of the control characters, all but \t and \n. */
const INVISIBLE = /[[\p{Cc}--[\t\n]]\xad\u200b\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gv

/** Line breaks and tabs stay; half surrogate pairs are replaced. */
export const visibleText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|\x85|\u2028|\u2029/g, '\n')
    .replace(INVISIBLE, '')

/** White space collapsed to single spaces, at the ends too. */
export const collapsed = (text: string): string => visibleText(text.replace(/[\s\x85]+/g, ' ')).replace(/ {2,}/g, ' ')
