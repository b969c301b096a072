// The bangs of other sites: a trigger such as `w`, and the URL of that site's search. `tools/make-bangs.ts` writes the
// table as a compressed file, which is loaded into a map when the first bang is used.
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const TABLE = new URL('./bangs.txt.br', import.meta.url)
const PLACEHOLDER = '{}'

let loading: Promise<ReadonlyMap<string, string>> | undefined

/**
 * Returns the URL to go to: without search words, the site itself. Undefined for an unknown trigger, or if the words
 * would change the origin.
 */
export async function findBang(trigger: string, words: string): Promise<URL | undefined> {
  loading ??= loadTable()
  const template = (await loading).get(trigger)
  if (template === undefined) return undefined
  const site = new URL(template.replaceAll(PLACEHOLDER, ''))
  if (words === '') return new URL(site.origin)
  const address = new URL(template.replaceAll(PLACEHOLDER, encodeURIComponent(words.toWellFormed())))
  return address.origin === site.origin ? address : undefined
}

async function loadTable(): Promise<ReadonlyMap<string, string>> {
  const text = (await promisify(brotliDecompress)(await readFile(TABLE))).toString()
  const table = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [template = '', ...triggers] = line.split('\t')
    for (const trigger of triggers) table.set(trigger, template)
  }
  return table
}
