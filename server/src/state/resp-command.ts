// Commands as Redis reads them (RESP2), as text: an array of strings, each after its length in bytes. What is the same in
// every call is put together once, so that a call in the hot path is a few concatenations.
import { createHash } from 'node:crypto'

/** A script with a fixed number of keys and arguments. */
export interface Script {
  /** Begins the call of a script that the server knows; the keys and arguments follow. */
  bySha: string
  /** Begins the call that brings the script along. */
  byText: string
}

export const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`
export const bulks = (...texts: string[]): string => texts.map(bulk).join('')
export const command = (...words: string[]): string => `*${words.length}\r\n${bulks(...words)}`

export function defineScript(lua: string, { keys, values }: { keys: number; values: number }): Script {
  const sha = createHash('sha1').update(lua).digest('hex')
  const head = `*${3 + keys + values}\r\n`
  return {
    bySha: `${head}${bulks('EVALSHA', sha, `${keys}`)}`,
    byText: `${head}${bulks('EVAL', lua, `${keys}`)}`,
  }
}
