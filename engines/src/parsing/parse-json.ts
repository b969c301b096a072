// Parses JSON that a stranger wrote. V8's parser recurses, and in Node 26.10 a text with some 9,000 nested lists ends the
// process instead of throwing, so a text that is nested too deeply isn't given to it.

/** Far more than any provider or client sends. */
const MAX_DEPTH = 500

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** As JSON.parse, and a text with more than 500 levels is a SyntaxError too. */
export function parseJson(text: string): unknown {
  if (mayBeDeep(text) && isDeep(text)) throw new SyntaxError('The JSON is nested too deeply.')
  return JSON.parse(text)
}

/** Counting is much faster than reading, and few texts have so many lists and objects. */
const mayBeDeep = (text: string): boolean => countUpTo(text, '[') + countUpTo(text, '{') > MAX_DEPTH

function countUpTo(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && count <= MAX_DEPTH; at = text.indexOf(character, at + 1))
    count += 1
  return count
}

function isDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length && depth <= MAX_DEPTH; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isInString = !isInString
    else if (isInString) at += code === BACKSLASH ? 1 : 0
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth += 1
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1
  }
  return depth > MAX_DEPTH
}
