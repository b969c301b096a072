// Beside the results of a web search, for signed-in people: the first results of the private engines, which are never
// ranked among the web's. They are searched for at the same time as the web and under the same deadline. The web's
// results don't wait for them: what isn't there when the web's results are is only linked to.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { Refusal } from '../../errors.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { SearchRequest } from '../../search/plan.ts'
import type { Search } from '../../search/search.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { hasMine, mineFor } from '../mine.ts'
import { addressOf } from '../parts/address.ts'
import { showAge } from '../parts/formats.ts'
import { resultMenus } from './result-menu.ts'
import { externalLink, joinNames, type MenuOf, shortened } from './result-parts.ts'
import { failuresIn, reasonsOf } from './search-notes.ts'
import { type SearchQuery, searchParamsOf } from './search-query.ts'

const MAX_SHOWN = 3
const MAX_TITLE_LENGTH = 120

interface PendingMineBox {
  /** Waits for the search. Never rejects. */
  whole: Promise<Html | false>
  /** The box if the search is over, otherwise a link to what it will find. */
  now: () => Promise<Html | false>
}

const NO_BOX: PendingMineBox = { whole: Promise.resolve(false), now: async () => false }

/** Starts the search, if the page has a place for what it finds and the reader may see it. */
export function startMineBox(context: PageContext, searchQuery: SearchQuery): PendingMineBox {
  if (!hasMine(context) || searchQuery.tab !== 'web' || searchQuery.request.page !== 1) return NO_BOX
  const whole = fetchMineBox(context, searchQuery)
  return { whole, now: () => Promise.race([whole, nextTurn(laterBox(context, searchQuery))]) }
}

/** The slots of the web mean nothing here, nor do the language and region that the reader prefers on the web. */
export const mineRequest = ({ request, keep }: SearchQuery): SearchRequest => ({
  ...request,
  engines: [],
  region: undefined,
  minIndexes: undefined,
  lang: keep['lang'] === undefined ? '' : request.lang,
})

const mineAddress = (searchQuery: SearchQuery): string => addressOf('/mine', searchParamsOf(searchQuery))

async function fetchMineBox(context: PageContext, searchQuery: SearchQuery): Promise<Html | false> {
  try {
    const search = await mineFor(context)
    const parts = search && (await findParts(context, searchQuery, search))
    return parts !== undefined && parts.items.length + parts.trouble.length > 0 && boxOf(context, searchQuery, parts)
  } catch (error) {
    context.services.log.error({ err: error }, 'the search of the private engines failed; showing results without it')
    return false
  }
}

async function findParts(context: PageContext, searchQuery: SearchQuery, search: Search): Promise<BoxParts> {
  try {
    const { results, reports, now } = await search.search('web', mineRequest(searchQuery))
    const back = addressOf('/search', searchParamsOf(searchQuery))
    const { form, menuOf } = resultMenus(context, searchQuery, { back, path: '/mine' })
    return {
      form,
      items: results.slice(0, MAX_SHOWN).map((merged) => itemOf(context, merged, { now, menuOf })),
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

function boxOf({ words }: PageContext, searchQuery: SearchQuery, { form, items, trouble }: BoxParts): Html {
  const { frame, search } = words
  return html`<section class="mine" aria-labelledby="mine-title"><h2 id="mine-title">${frame.tabs.mine}</h2>
${items.length > 0 && html`${form}<ol>${items}</ol>`}${trouble.map((sentence) => html`<p class="mine-trouble">${sentence}</p>`)}<a class="mine-all" href="${mineAddress(searchQuery)}">${search.mine.all}</a></section>`
}

function laterBox({ words }: PageContext, searchQuery: SearchQuery): Html {
  const { later, show } = words.search.mine
  return html`<p class="mine-later">${later} <a href="${mineAddress(searchQuery)}">${show}</a></p>`
}

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
