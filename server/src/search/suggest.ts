// Search-bar autocomplete: queries all suggesters in parallel, and puts first what several of them suggest, or suggest
// early. If some fail, the others answer. If all fail, the request is refused, because an empty list would mean that
// there is nothing to suggest.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { SuggestQuery } from '@bowerbird/engines/engine.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { ResponseLoader } from '../cache/response-loader.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { observed } from '../upstream/observed-call.ts'
import type { SearchStatus } from './engine-report.ts'
import type { BoundEngine } from './plan.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'

export interface SuggestObservation {
  slug: string
  ms: number
  error: UpstreamError | undefined
}

interface SuggestParts {
  engines: readonly BoundEngine[]
  cache: ResponseCache
  startDeadline: () => Deadline
  observe: (observation: SuggestObservation) => void
  log: Log
}

export interface SuggestAnswer {
  suggestions: string[]
  status: SearchStatus
}

export interface Suggest {
  /** The display names of the providers that get the query; empty: suggestions are not configured. */
  providerNames: readonly string[]
  suggest: (query: SuggestQuery) => Promise<SuggestAnswer>
}

const MOST_SUGGESTIONS = 10
const RETRY_SECONDS = '5'

export function createSuggest(parts: SuggestParts): Suggest {
  return {
    providerNames: parts.engines.map(({ engine }) => engine.name),
    async suggest(query) {
      if (parts.engines.length === 0) throw new Refusal(503, 'Suggestions are not configured on this deployment.')
      const able = parts.engines.filter(({ engine }) => speaks(engine.suggest?.languages, query.lang))
      const deadline = parts.startDeadline()
      const base = responseKey({ tab: 'suggest', text: query.text, lang: query.lang })
      const asks = able.map((bound) => suggesterAsk(bound, query, parts))
      const outcomes = await parts.cache.obtain<string[]>(base, asks, deadline)
      deadline.cancel()
      const answered = outcomes.flatMap((outcome) => ('page' in outcome ? [outcome] : []))
      if (able.length > 0 && answered.length === 0) {
        throw new Refusal(503, 'No suggestion provider responded.', { 'Retry-After': RETRY_SECONDS })
      }
      const lists = answered.map(({ page }) => page)
      return { suggestions: joined(lists, query.text), status: statusOf(answered, able.length) }
    },
  }
}

function statusOf(answered: readonly { isStale: boolean }[], asked: number): SearchStatus {
  if (asked === 0) return 'unsupported'
  const fresh = answered.filter(({ isStale }) => !isStale).length
  if (fresh === 0) return 'stale'
  return fresh < asked ? 'partial' : 'complete'
}

const speaks = (languages: readonly string[] | undefined, lang: string): boolean =>
  lang === '' || !languages || languages.includes(languageTag(lang).base)

function suggesterAsk(bound: BoundEngine, query: SuggestQuery, parts: SuggestParts): ResponseLoader<string[]> {
  const { slug, terms, suggest } = bound.engine
  const witness = {
    observe: (outcome: Omit<SuggestObservation, 'slug'>) => parts.observe({ slug, ...outcome }),
    log: parts.log,
  }
  return {
    slug,
    cacheSeconds: terms.cacheSeconds,
    cacheIn: terms.cacheIn,
    isResponse: isResponseOf.suggest,
    fetch: (deadline) =>
      observed(slug, witness, async () => {
        if (!suggest) throw new UpstreamError('rejected', 'the engine has no suggestions')
        const { priceFactor } = suggest
        const request = { ...suggest.request(query, bound.settings), ...(priceFactor !== undefined && { priceFactor }) }
        return await bound.ask(request, deadline, (reply) => suggest.parse(reply))
      }),
  }
}

/** Ranks by position and agreement, ignoring case and spacing. Blanks and the query itself are dropped. */
function joined(lists: readonly string[][], text: string): string[] {
  const asked = nameOf(text)
  const found = new Map<string, { suggestion: string; score: number }>()
  for (const list of lists) {
    list.forEach((suggestion, index) => {
      const name = nameOf(suggestion)
      if (name === '' || name === asked) return
      const known = found.get(name) ?? { suggestion: suggestion.trim(), score: 0 }
      known.score += 1 / (index + 1)
      found.set(name, known)
    })
  }
  return [...found.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ suggestion }) => suggestion)
}

const nameOf = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
