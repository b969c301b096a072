// A bang is the first or last word of a query: `!w climate` goes to Wikipedia, `climate !i` to our own images. It is
// resolved here and sent to no engine; the other site gets the query from the browser and nothing from us. An unknown
// bang is an ordinary word.
//
// `tools/make-bangs.ts` writes the table of other sites as a compressed file: each line has the URL of a site's search
// and its triggers, such as `w`. The table is loaded when a bang is first looked up in it.

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Tab } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { type Html, html } from '../http/html.ts'
import { type PageContext, type PageReply, redirectTo } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

const MAX_BANG_LENGTH = 40
const LEADING_BANG = /^!(\S{1,40})(?:\s+(.*))?$/s
const TRAILING_BANG = /^(.*\S)\s+!(\S{1,40})$/s

type OwnTab = Exclude<Tab, 'web'> | 'maps'

const OWN_BANGS: Readonly<Record<string, OwnTab>> = {
  i: 'images',
  n: 'news',
  v: 'videos',
  science: 'science',
  code: 'code',
  m: 'maps',
}

const ownTab = (trigger: string): OwnTab | undefined =>
  Object.hasOwn(OWN_BANGS, trigger) ? OWN_BANGS[trigger] : undefined

/** Returns the reply to a query with a bang; undefined if the query has no known bang. */
export async function followBang(context: PageContext, text: string): Promise<PageReply | undefined> {
  const bang = readBang(text)
  if (!bang) return undefined
  const tab = ownTab(bang.trigger)
  if (tab)
    return redirectTo(
      tab === 'maps' ? addressOf('/maps', { q: bang.words }) : addressOf('/search', { q: bang.words, tab }),
    )
  const address = await findBang(bang.trigger, bang.words)
  return address && refreshView(context, address)
}

/** Whether a search for the text would follow a bang. */
export async function hasBang(text: string): Promise<boolean> {
  const bang = readBang(text)
  if (!bang) return false
  return ownTab(bang.trigger) !== undefined || (await findBang(bang.trigger, bang.words)) !== undefined
}

function readBang(text: string): { trigger: string; words: string } | undefined {
  if (!text.includes('!')) return undefined
  const first = LEADING_BANG.exec(text)
  if (first?.[1]) return { trigger: first[1].toLowerCase(), words: first[2]?.trim() ?? '' }
  const last = TRAILING_BANG.exec(text)
  return last?.[2] ? { trigger: last[2].toLowerCase(), words: last[1] ?? '' } : undefined
}

/**
 * Sends a page that refreshes to the site, not a redirect: our policy allows forms to lead only to this site, so
 * browsers block a redirect to another one in response to a form. A link on another site must not be able to use this
 * site's name for a redirect of its own, so a reader who comes from one has to follow the link.
 */
function refreshView({ words, isOwnNavigation }: PageContext, { href, host }: URL): PageReply {
  const text = words.search.bang
  const body: Html = html`<h1>${text.title({ host })}</h1><p><a href="${href}" rel="noreferrer">${text.link}</a></p>`
  return {
    title: text.title({ host }),
    layout: 'narrow',
    body,
    headers: {
      ...(isOwnNavigation && { Refresh: '0; url='.concat(href) }),
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
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

interface KnownBang {
  trigger: string
  /** Where it leads: to a tab of ours or, if that is undefined, to a site. */
  tab: OwnTab | undefined
  host: string
}

/**
 * The bangs that begin with `prefix`: that very one first, then those of sites whose names begin with it too, then the
 * shortest; only one for each place that they lead to.
 */
export async function bangsLike(prefix: string, most: number): Promise<KnownBang[]> {
  loading ??= loadTable()
  const table = await loading
  const rankOf = ({ trigger, host }: KnownBang) =>
    trigger === prefix ? 0 : trigger.length + (host.startsWith(prefix) ? 0 : MAX_BANG_LENGTH)
  const seen = new Set<string>()
  const triggers = [...Object.keys(OWN_BANGS), ...table.keys()].filter((trigger) => trigger.startsWith(prefix))
  return [...new Set(triggers)]
    .map((trigger) => ({ trigger, tab: ownTab(trigger), host: hostOf(table.get(trigger) ?? '') }))
    .sort((one, other) => rankOf(one) - rankOf(other) || (one.trigger < other.trigger ? -1 : 1))
    .filter(({ tab, host }) => {
      const isNew = !seen.has(tab ?? host)
      seen.add(tab ?? host)
      return isNew
    })
    .slice(0, most)
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
