// A real search over engines that return what a test says: real plan, cache and merge, and no network.

import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { defineEngine, type Engine, type WebHit } from '@bowerbird/engines/engine.ts'
import { setting } from '@bowerbird/engines/setting.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { createResponseCache } from '../cache/response-cache.ts'
import { createLog } from '../log.ts'
import type { RuleSet } from '../rules/site-rules.ts'
import { Caller } from './caller.ts'
import { createSearch, type SearchParts } from './search.ts'
import type { SearchRequest } from './search-request.ts'
import type { Slot } from './slots.ts'

interface PlayedEngine {
  /** The pages that it returns, by name, or its error; 'fails': it can't be reached. */
  pages: readonly string[] | UpstreamError | 'fails'
  index?: string
  when?: Slot['when']
  /** It answers after so long. */
  afterMs?: number
  /** Another engine's slot, to share it. */
  tierOf?: string
}

export const REQUEST: SearchRequest = { text: 'oak', engines: [], safe: false, lang: '', page: 1, date: undefined }

const pageNamed = (name: string): string => `https://${name}.example/`

const hitOf = (name: string): WebHit => webHit(pageNamed(name), { title: name })

const engineOf = (slug: string, { index, tierOf }: PlayedEngine): Engine =>
  defineEngine({
    slug,
    name: slug.toUpperCase(),
    homepage: 'https://provider.example',
    ...(index !== undefined && { index }),
    ...(tierOf !== undefined && { tierOf }),
    settings: { baseUrl: setting('PLAYED_URL', 'https://provider.example') },
    terms: { cacheSeconds: 100, cacheIn: 'memory', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-17' },
    tabs: {
      web: {
        lastPage: 10,
        honours: ['safe', 'lang'],
        request: () => ({ path: '/' }),
        parse: ({ body }) => ({ hits: (JSON.parse(body) as string[]).map(hitOf), correction: '' }), // as `ask` wrote it
      },
    },
  })

/** One slot for each engine, with its name. */
export function playSearch(played: Record<string, PlayedEngine>, own: Partial<SearchParts> = {}) {
  const asked: string[] = []
  const slots = Object.entries(played).map(([slug, engine]): Slot => {
    const ask: NonNullable<Slot['engines']['web']>[number]['ask'] = async (_request, deadline, read) => {
      asked.push(slug)
      const { pages, afterMs = 0 } = engine
      if (afterMs > 0) {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(resolve, afterMs)
          deadline.onExpire(() => {
            clearTimeout(timer)
            reject(new UpstreamError('timeout', 'too slow'))
          })
        })
      }
      if (pages === 'fails') throw new UpstreamError('unreachable', 'nobody there')
      if (pages instanceof UpstreamError) throw pages
      return read({ status: 200, headers: {}, body: JSON.stringify(pages) })
    }
    const bound = { engine: engineOf(slug, engine), settings: { baseUrl: '' }, ask }
    return { name: slug, weight: 1, when: engine.when, engines: { web: [bound] } }
  })
  const log = createLog('silent')
  const search = createSearch({
    slots,
    cache: createResponseCache({ shared: undefined, clock: Date.now, maxAgeSeconds: 100, log }),
    startDeadline: () => createDeadline(200),
    clock: Date.now,
    observe: () => undefined,
    log,
    ...own,
  })
  const find = async ({ rules, ...request }: Partial<SearchRequest> & { rules?: RuleSet } = {}) => {
    const caller = new Caller({ findRules: () => rules })
    const answer = await search.search({ caller, tab: 'web', request: { ...REQUEST, ...request } })
    return { ...answer, names: answer.results.map(({ hit }) => hit.title) }
  }
  return { ...search, find, asked }
}

/** A result of which only the address is known, and what a test says of it. */
export const webHit = (url: string, rest: Partial<WebHit> = {}): WebHit => ({
  kind: 'web',
  title: `about ${url}`,
  url,
  description: '',
  faviconUrl: '',
  publishedAt: undefined,
  sitelinks: [],
  ...rest,
})
