// Reads the text that a phrase such as `base64 encode …` should work on. `base64 encode hello` wants an answer, `base64
// encode python` wants web pages, and both have the same form: what gives the second away is a word that people use
// when searching *about* the subject. Text in quotation marks is taken literally.

/** Words from searches about a subject, by kind. To mean the word itself, people put it in quotation marks. */
const SEARCH_WORDS = new Set(
  `
  python java javascript js typescript ts php ruby rust go golang c c++ c# .net dotnet perl bash shell powershell sql
  mysql postgres postgresql oracle mongodb sqlite snowflake node nodejs node.js react angular vue swift kotlin scala
  matlab dart flutter css html excel sheets word docs linux windows mac macos ubuntu android iphone ios docker git
  github aws azure openssl nginx apache wordpress notepad notepad++ vscode vim chrome firefox outlook whatsapp discord
  jquery django flask spring laravel lua haskell elixir sap vba jmeter postman splunk terraform ansible jenkins
  online generator generators encoder decoder encoding decoding converter calculator checker checksum tool tools app
  apps website site library package module function functions method command commandline cmd cli algorithm algorithms
  hash hashes hashing string strings image images file files pdf video audio json xml csv picture photo jpg png svg
  error errors exception example examples tutorial meaning definition explained explanation wiki wikipedia list table
  chart cheat sheet alphabet letters font fonts keyboard shortcut emoji tattoo ring bracelet necklace keychain jewelry
  translator translate translation song movie film game book pattern decrypt decryption encrypt encryption crack
  cracked cracker cracking collision collisions vulnerability speed performance size length format formats salt salted
  salting rainbow difference differences vs versus uses using used deprecated secure safe security tutorials course
  download install free best working worksheet worksheets printable reverse password passwords iso linter regex
  variable variables column columns formula formulas array arrays object bytes buffer url urls uri byte hex binary
  number numbers data attachment attachments certificate key keys token tokens alternative alternatives license
  beginners kids dummies scouts arduino learn learning practice bitcoin ethereum blockchain solidity miner mining asic
  minecraft debian mismatch polynomial address cipher quote standard convert encode decode change
  `.match(/\S+/g),
)

/** People don't encode questions. */
const QUESTION_WORDS = new Set(['how', 'what', 'why', 'when', 'which', 'who', 'where', 'is', 'are', 'does', 'can'])

/** What people type to try something out, so that a name and one of these is enough: `base64 hello`, `morse sos`. */
const SAMPLES = new Set([
  'hello',
  'hello world',
  'hi',
  'help',
  'sos',
  'test',
  'love',
  'i love you',
  'thank you',
  'hallo',
  'bonjour',
  'hola',
  'ciao',
  'foo',
  'foobar',
  'foo bar',
  'abc',
])

export const isSample = (text: string): boolean => SAMPLES.has(text.trim().toLowerCase())

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '„': '“', '«': '»' }

interface PayloadBounds {
  /** The text follows a colon, so it is taken literally. */
  isCertain?: boolean
  /** More words than this, unquoted, are a search; 0: only quoted or certain text is accepted. */
  maxWords?: number
}

/** `null`: the rest of the phrase is empty or reads like a search about the subject. */
export function readPayload(rest: string, { isCertain = false, maxWords = 100 }: PayloadBounds = {}): string | null {
  const plain = rest.trim()
  const closing = QUOTES[plain[0] ?? '']
  if (closing && plain.length > 2 && plain.endsWith(closing)) return plain.slice(1, -1)
  if (plain === '' || isCertain) return plain || null
  const words = plain.toLowerCase().split(/\s+/)
  if (words.length > maxWords || QUESTION_WORDS.has(words[0] ?? '')) return null
  return words.some((word) => SEARCH_WORDS.has(word) || SEARCH_WORDS.has(word.replace(/[?!.,;:]+$/, ''))) ? null : plain
}

/** Quotes the text and escapes characters that would break the line or hide in it. */
export const quoted = (text: string): string => `"${oneLine(text)}"`

/** Escapes control characters, line breaks and marks that change the writing direction. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, escapeOf)
}

const escapeOf = (character: string): string =>
  `\\u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
