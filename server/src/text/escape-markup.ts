// Escapes a text for XML and HTML, as the text of an element or the value of an attribute in double quotes.

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot represent in any form, unpaired surrogates included. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

export const escapeMarkup = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
