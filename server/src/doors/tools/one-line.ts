// Text from a page, on one line and without characters that are invisible or turn the direction of what follows: in a
// list for a language model, a page must not be able to write lines of its own.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu

export const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim()
