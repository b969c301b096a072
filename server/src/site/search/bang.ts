// A bang is the first or last word of a query: `!w climate` goes to Wikipedia, `climate !i` to our own images. It is
// resolved here and sent to no engine; the named site learns the query from the browser and nothing from us. An unknown
// bang is an ordinary word.
//
// `tools/make-bangs.ts` writes the table of other sites as a compressed file: a trigger such as `w`, and the URL of that
// site's search. It is loaded when the first bang is used.

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { type Html, html } from '../http/html.ts'
import { type PageContext, type PageReply, redirectTo } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

const FIRST = /^!(\S{1,40})(?:\s+(.*))?$/s
const LAST = /^(.*\S)\s+!(\S{1,40})$/s

const OWN: Record<string, (q: string) => string> = {
  i: (q) => addressOf('/search', { q, tab: 'images' }),
  n: (q) => addressOf('/search', { q, tab: 'news' }),
  v: (q) => addressOf('/search', { q, tab: 'videos' }),
  science: (q) => addressOf('/search', { q, tab: 'science' }),
  code: (q) => addressOf('/search', { q, tab: 'code' }),
  m: (q) => addressOf('/maps', { q }),
}

/** Returns the reply to a query with a bang; undefined if it has no known one. */
export async function followBang(context: PageContext, text: string): Promise<PageReply | undefined> {
  const bang = readBang(text)
  if (!bang) return undefined
  const own = Object.hasOwn(OWN, bang.trigger) ? OWN[bang.trigger] : undefined
  if (own) return redirectTo(own(bang.words))
  const address = await findBang(bang.trigger, bang.words)
  return address && elsewhere(context, address)
}

function readBang(text: string): { trigger: string; words: string } | undefined {
  if (!text.includes('!')) return undefined
  const first = FIRST.exec(text)
  if (first?.[1]) return { trigger: first[1].toLowerCase(), words: first[2]?.trim() ?? '' }
  const last = LAST.exec(text)
  return last?.[2] ? { trigger: last[2].toLowerCase(), words: last[1] ?? '' } : undefined
}

/**
 * Sends a page that refreshes to the site, not a redirect: our policy allows forms to lead only to this site, so
 * browsers block a redirect to another one in response to a form.
 */
function elsewhere({ words }: PageContext, { href, host }: URL): PageReply {
  const text = words.search.bang
  const body: Html = html`<h1>${text.title(host)}</h1><p><a href="${href}" rel="noreferrer">${text.link}</a></p>`
  return {
    title: text.title(host),
    layout: 'narrow',
    body,
    headers: { Refresh: '0; url='.concat(href), 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' },
  }
}

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
