// Puts text from a page on one line, without characters that are invisible or change the direction of writing: in a
// list for a language model, a page must not be able to add lines.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu

export const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim()
