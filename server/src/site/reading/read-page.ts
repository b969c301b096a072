// GET /read: the text of a page from the results, in this site's layout. Only pages that this reader's recent results
// have shown are fetched. The Read view has no script and may not run any, because its text was written by others.
//
// Links to the Read view are signed when the results are rendered, for the account that sees them; all visitors without
// an account count as one. So the server stores nothing about readers, and no one can make it fetch an address of their
// choice.
import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { parseBlocks } from '@bowerbird/reader/blocks.ts'
import { toPlain } from '@bowerbird/reader/write-blocks.ts'
import type { Reader, ReadOutcome } from '../../reader/reader.ts'
import type { Search } from '../../search/search.ts'
import { isSameHash, type KeyedHash } from '../../text/cryptography.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html, joined } from '../http/html.ts'
import { definePage, type PageContext, type SearchBar, type View } from '../http/page.ts'
import { NO_SCRIPT_HEADERS } from '../http/send-page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { directionOf, formatLongDay, languageName } from '../parts/formats.ts'
import type { Pictures } from '../pictures.ts'
import { addressLine, externalLink, shortened } from '../search/result-parts.ts'
import { statePage } from '../search/search-notes.ts'
import { parseSearchQuery, SearchParams, searchParamsOf, textParam } from '../search/search-query.ts'
import { blockView } from './block-view.ts'
import { readingTime } from './reading-time.ts'

export interface ReadPageParts {
  search: Search
  pictures: Pictures | undefined
  /** undefined: this instance reads no pages. */
  reading: PageReading | undefined
}

const READ_PATH = '/read'
const BUSY_SECONDS = 5
const MAX_TITLE_LENGTH = 240

/** The Read view. */
export interface PageReading {
  read: Reader['read']
  /** Signs the links to the Read view. */
  sign: KeyedHash
}

const ReadQuery = SearchParams.extend({ url: textParam, s: textParam })

export const readPage = (parts: ReadPageParts) =>
  definePage({
    method: 'GET',
    path: READ_PATH,
    access: 'searcher',
    // As in the API, reading a page counts as a search.
    quota: 'search',
    query: ReadQuery,
    async handle(context) {
      const { query, words } = context
      const { url, s } = query
      const { reading } = words
      if (!parts.reading) throw new PageError('notFound')
      const searchQuery = parseSearchQuery(query, context.preferences, parts.search.slotNames)
      const { tab, written } = searchQuery
      const back = written === '' ? '/' : addressOf('/search', searchParamsOf(searchQuery))
      const toResults = buttonLink(reading.back, back)
      // Don't show an address that we haven't signed: it could be anyone's.
      if (!wasShown(parts.reading, context, url, s)) {
        return messageView(403, { title: reading.expired, help: reading.expiredHelp, actions: [toResults] })
      }
      const original = html`<a class="button button-primary" ${externalLink(url, context.preferences)}>${reading.original}</a>`
      const outcome = await readUnlessBusy(parts.reading, url, context.searcher)
      if (outcome === 'busy') {
        const again = buttonLink(reading.again, context.address)
        const view = messageView(503, { title: reading.busy, help: reading.busyHelp, actions: [again, original] })
        return { ...view, headers: { ...NO_SCRIPT_HEADERS, 'Retry-After': String(BUSY_SECONDS) } }
      }
      if (!outcome.ok) {
        const { reason, status } = outcome
        const help = status === undefined ? reading.failures[reason] : reading.statusFailure({ status })
        return messageView(422, { title: reading.failed, help, actions: [original, toResults] })
      }
      return articleOf(parts.pictures, context, { url, back, outcome, search: { text: written, tab } })
    },
  })

interface MessageParts {
  title: string
  help: string
  actions: Html[]
}

const messageView = (status: number, { title, help, actions }: MessageParts): View => ({
  title,
  status,
  scripts: 'none',
  headers: NO_SCRIPT_HEADERS,
  body: statePage(title, [help], actions),
})

async function readUnlessBusy({ read }: PageReading, url: string, subject: string): Promise<ReadOutcome | 'busy'> {
  try {
    return await read(url, { format: 'blocks', subject })
  } catch (error) {
    if (error instanceof UpstreamError) return 'busy'
    throw error
  }
}

interface Article {
  url: string
  /** The results that the reader came from, and their search. */
  back: string
  search: Pick<SearchBar, 'text' | 'tab'>
  outcome: Extract<ReadOutcome, { ok: true }>
}

function articleOf(
  pictures: Pictures | undefined,
  context: PageContext,
  { url, back, search, outcome }: Article,
): View {
  const { words, preferences } = context
  const { reading } = words
  const { page, address } = outcome
  const title = shortened(page.title, MAX_TITLE_LENGTH) || hostOf(address)
  const blocks = parseBlocks(page.content)
  const links = html`<a href="${back}">${reading.back}</a> <a ${externalLink(url, preferences)}>${reading.original}</a>`
  const body = html`<article class="reading"><nav class="read-links" aria-label="${reading.linksLabel}">${links}</nav>
<div${page.language && html` lang="${page.language}"`} dir="${directionOf(page.language)}">
<header>${addressLine(address, '', { pictures: undefined, showsIcons: false })}<h1>${title}</h1>
${factsOf(context, page, readingTime(toPlain(blocks), page.language))}</header>
<div class="read-text">${blockView(blocks, {
    pictures,
    newTab: preferences.newTab,
    words: reading,
  })}</div></div>
<nav class="read-links" aria-label="${reading.bottomLinksLabel}">${links}</nav></article>`
  const { text, tab } = search
  return { title, scripts: 'none', headers: NO_SCRIPT_HEADERS, search: { text, tab, isFieldOnly: true }, body }
}

/** Author, site, date and language, as far as the page says, and how long it takes to read. */
function factsOf(
  { language, locale, words }: PageContext,
  page: Article['outcome']['page'],
  minutes: number | undefined,
): Html | false {
  const { published } = page
  const date = published && html`<time datetime="${published}">${formatLongDay(new Date(published), locale)}</time>`
  const written = page.language === '' ? '' : languageName(page.language, locale)
  const facts = [page.byline, page.siteName].filter(Boolean).map((name) => html`<bdi>${name}</bdi>`)
  const shown = [
    ...facts,
    ...[date, written, minutes && words.reading.minutes({ minutes })]
      .filter(Boolean)
      .map((fact) => html`<span lang="${language}">${fact}</span>`),
  ]
  return shown.length > 0 && html`<p class="read-facts">${joined(shown, ' · ')}</p>`
}

const HOUR_MS = 3_600_000
/** A link is valid for two to three hours. Through the API, a key can read a page for two hours after finding it. */
const EARLIER_HOURS = 2

type LinkContext = Pick<PageContext, 'viewer' | 'clock'>

/** Returns the Read link of a page, which also leads back to the search; '' if this instance doesn't read it. */
export function readAddress(
  reading: PageReading | undefined,
  context: LinkContext,
  address: string,
  search: Record<string, string | number>,
): string {
  if (!reading || httpAddress(address) === '') return ''
  return addressOf(READ_PATH, {
    ...search,
    url: address,
    s: signatureOf(reading, context, address, hourOf(context.clock())),
  })
}

/** Whether this reader was recently shown the address. */
function wasShown(reading: PageReading | undefined, context: LinkContext, address: string, signature: string): boolean {
  if (signature === '') return false
  const hour = hourOf(context.clock())
  for (let before = 0; before <= EARLIER_HOURS; before += 1) {
    if (isSameHash(signature, signatureOf(reading, context, address, hour - before))) return true
  }
  return false
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

const signatureOf = (
  reading: PageReading | undefined,
  { viewer }: LinkContext,
  address: string,
  hour: number,
): string => reading?.sign(`${hour}\n${viewer ? `user ${viewer.userId}` : 'visitor'}\n${address}`) ?? ''
