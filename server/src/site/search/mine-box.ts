// Beside the results of a web search, for signed-in people: the first results of the private engines, which are never
// ranked among the web's. They are searched for at the same time as the web and under the same deadline. The web's
// results hardly wait for them: what is later than those is linked to, and the script fetches it from GET /mine/box.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { Refusal } from '../../errors.ts'
import { type MergedHit, onlyKind } from '../../search/merge.ts'
import type { Search } from '../../search/search.ts'
import type { SearchRequest } from '../../search/search-request.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { hasMine } from '../mine.ts'
import { addressOf } from '../parts/address.ts'
import { showAge } from '../parts/formats.ts'
import { resultMenus } from './result-menu.ts'
import { externalLink, joinNames, type MenuOf, shortened } from './result-parts.ts'
import { failuresIn, reasonsOf } from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'

export interface MineBoxParts {
  search: Search
  mine: Search
}

const PATH = '/mine/box'
const MAX_SHOWN = 3
const MAX_TITLE_LENGTH = 120

interface PendingMineBox {
  /** Waits for the search. Never rejects. */
  whole: Promise<Html | false>
  /** The box if the search is over or soon will be, otherwise a link to what it will find. */
  now: () => Promise<Html | false>
}

/**
 * Counted from the start of the search, so only results of the web that come from memory wait at all. Those are there
 * before any service on the network can be.
 */
const PATIENCE_MS = 200

const NO_BOX: PendingMineBox = { whole: Promise.resolve(false), now: async () => false }

/** Starts the search, if the page has a place for what it finds and the reader may see it. */
export function startMineBox(mine: Search, context: PageContext, searchQuery: SearchQuery): PendingMineBox {
  if (!hasMine(context) || searchQuery.tab !== 'web' || searchQuery.request.page !== 1) return NO_BOX
  const whole = fetchMineBox(mine, context, searchQuery)
  const patience = sleep(PATIENCE_MS, undefined, { ref: false })
  const later = async () => {
    await patience
    return await nextTurn(laterBox(context, searchQuery))
  }
  return { whole, now: () => Promise.race([whole, later()]) }
}

/** The box alone. It causes no search of the web, so it doesn't count as a second search. */
export const mineBoxPage = ({ search, mine }: MineBoxParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    quota: 'suggestion',
    query: SearchParams,
    async handle(context) {
      const { query, preferences, words } = context
      if (!hasMine(context)) throw new PageError('notFound')
      const searchQuery = parseSearchQuery(query, preferences, search.slotNames)
      const title = words.frame.tabs.mine
      const box = await fetchMineBox(mine, context, searchQuery)
      const shown = box || sectionOf(context, html`<p class="quiet">${words.search.nothing.title}</p>`)
      return { title, body: html`<h1 class="visually-hidden">${title}</h1>${shown}` }
    },
  })

/** The slots of the web mean nothing here, nor do the language and region that the reader prefers on the web. */
export const mineRequest = ({ request, keep }: SearchQuery): SearchRequest => ({
  ...request,
  engines: [],
  region: undefined,
  lang: keep['lang'] === undefined ? '' : request.lang,
})

const mineAddress = (searchQuery: SearchQuery): string => addressOf('/mine', searchParamsOf(searchQuery))

async function fetchMineBox(mine: Search, context: PageContext, searchQuery: SearchQuery): Promise<Html | false> {
  try {
    const parts = await findParts(mine, context, searchQuery)
    return parts.items.length + parts.trouble.length > 0 && boxOf(context, searchQuery, parts)
  } catch (error) {
    context.log.error({ err: error }, 'the search of the private engines failed; showing results without it')
    return false
  }
}

async function findParts(mine: Search, context: PageContext, searchQuery: SearchQuery): Promise<BoxParts> {
  const search = mine
  try {
    const { results, reports, now } = await search.search({
      caller: context.caller,
      tab: 'web',
      request: mineRequest(searchQuery),
    })
    const back = addressOf('/search', searchParamsOf(searchQuery))
    const { form, menuOf } = resultMenus(context, searchQuery, { back, path: '/mine' })
    return {
      form,
      items: onlyKind(results, 'web')
        .slice(0, MAX_SHOWN)
        .map((merged) => itemOf(context, merged, { now, menuOf })),
      trouble: failuresIn(context, reports, { search, tab: 'web' }),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { form: false, items: [], trouble: reasonsOf(context, error, { search, tab: 'web' }) }
  }
}

interface BoxParts {
  /** Of the menus at the items. */
  form: Html | false
  items: readonly Html[]
  /** What went wrong, a sentence each. */
  trouble: readonly string[]
}

function boxOf(context: PageContext, searchQuery: SearchQuery, { form, items, trouble }: BoxParts): Html {
  const list = items.length > 0 && html`${form}<ol>${items}</ol>`
  const sentences = trouble.map((sentence) => html`<p class="mine-trouble">${sentence}</p>`)
  const all = html`<a class="mine-all" href="${mineAddress(searchQuery)}">${context.words.search.mine.all}</a>`
  return sectionOf(context, html`${list}${sentences}${all}`)
}

/** The script puts what was found into it. */
function laterBox(context: PageContext, searchQuery: SearchQuery): Html {
  const { later, show } = context.words.search.mine
  return sectionOf(
    context,
    html`<p class="quiet">${later} <a href="${mineAddress(searchQuery)}">${show}</a></p>`,
    html` data-late="${addressOf(PATH, searchParamsOf(searchQuery))}"`,
  )
}

const sectionOf = ({ words }: PageContext, content: Html, attributes?: Html): Html =>
  html`<section class="mine" aria-labelledby="mine-title"${attributes}><h2 id="mine-title">${words.frame.tabs.mine}</h2>
${content}</section>`

interface ItemView {
  now: number
  menuOf: MenuOf
}

/** Two lines: the title, and where it comes from, with the menu. */
function itemOf({ locale, preferences }: PageContext, merged: MergedHit<WebHit>, { now, menuOf }: ItemView): Html {
  const { hit, contributions } = merged
  const source = joinNames([...new Set(contributions.map(({ name }) => name))], locale)
  const age = showAge(hit.publishedAt, { now, locale })
  const facts = [html`<b>${source}</b>`, hostOf(hit.url), age].filter(Boolean)
  return html`<li><a class="result-link" ${externalLink(hit.url, preferences)} dir="auto">${shortened(hit.title, MAX_TITLE_LENGTH) || hostOf(hit.url)}</a><span class="mine-source">${facts.map((fact, at) => html`${at > 0 && ' · '}<bdi>${fact}</bdi>`)}</span>${menuOf(merged)}</li>`
}
