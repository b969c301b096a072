// What a phrase such as `base64 encode …` is to work on. `base64 encode hello` wants an answer, `base64 encode python`
// wants web pages, and both have the same form: what gives the second away is a word that people use when they look
// for something *about* the subject. Quotation marks say that the words are meant as they stand.

/** Words of searches about a subject, by kind. Whoever means the word itself puts it in quotation marks. */
const ABOUT = new Set(
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

/** Nobody has a question encoded. */
const QUESTION_WORDS = new Set(['how', 'what', 'why', 'when', 'which', 'who', 'where', 'is', 'are', 'does', 'can'])

const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '„': '“', '«': '»' }

interface PayloadBounds {
  /** It stands after a colon, so it is meant as it stands. */
  isCertain?: boolean
  /** More words than this, without quotation marks, are a search; 0: only what is marked as meant is taken. */
  mostWords?: number
}

/** `null`: the rest of the phrase reads like a search about the subject, or there is none. */
export function readPayload(rest: string, { isCertain = false, mostWords = 100 }: PayloadBounds = {}): string | null {
  const plain = rest.trim()
  const closing = QUOTES[plain[0] ?? '']
  if (closing && plain.length > 2 && plain.endsWith(closing)) return plain.slice(1, -1)
  if (plain === '' || isCertain) return plain || null
  const words = plain.toLowerCase().split(/\s+/)
  if (words.length > mostWords || QUESTION_WORDS.has(words[0] ?? '')) return null
  return words.some((word) => ABOUT.has(word) || ABOUT.has(word.replace(/[?!.,;:]+$/, ''))) ? null : plain
}

/** In quotation marks, with what would break the line or hide in it made visible. */
export const quoted = (text: string): string => `"${oneLine(text)}"`

/** Control characters, line breaks and marks that turn the direction of writing, as escapes. */
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
