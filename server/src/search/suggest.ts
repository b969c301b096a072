// Search-bar autocomplete: queries all suggesters in parallel, and puts first what several of them suggest, or suggest
// early. If some fail, the others answer. If all fail, the request is refused, because an empty list would mean that
// there is nothing to suggest.

import type { Deadline } from '@bowerbird/engines/deadline.ts'
import type { SuggestQuery } from '@bowerbird/engines/engine.ts'
import { languageTag } from '@bowerbird/engines/parsing/language-tag.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { observeCall } from '../upstream/observed-call.ts'
import { withoutBlocked } from './blocked-sites.ts'
import type { Caller } from './caller.ts'
import type { SearchStatus } from './engine-report.ts'
import { guardText } from './query-guard.ts'
import { responseKey } from './response-key.ts'
import { isResponseOf } from './response-shape.ts'
import type { BoundEngine } from './slots.ts'

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
  suggest: (caller: Caller, query: SuggestQuery) => Promise<SuggestAnswer>
}

const MAX_SUGGESTIONS = 10
const RETRY_SECONDS = '5'

export function createSuggest(parts: SuggestParts): Suggest {
  return {
    providerNames: parts.engines.map(({ engine }) => engine.name),
    async suggest(caller, asked) {
      if (parts.engines.length === 0)
        throw new Refusal('suggestions_not_configured', 'Suggestions are not configured on this deployment.')
      const query = { ...asked, text: guardText(caller, asked.text) }
      const rules = await caller.findRules()
      const able = parts.engines.filter(({ engine }) => supportsLanguage(engine.suggest?.languages, query.lang))
      const deadline = parts.startDeadline()
      const keyPrefix = responseKey({ tab: 'suggest', text: query.text, lang: query.lang })
      const wanted = able.map((bound) => {
        const { slug, terms } = bound.engine
        return { bound, slug, ...terms, isResponse: isResponseOf.suggest }
      })
      const responses = parts.cache.getOrFetch(keyPrefix, wanted, deadline, ({ bound }, callDeadline) =>
        askSuggester(bound, { caller, query, deadline: callDeadline, parts }),
      )
      const outcomes = await Promise.all(responses)
      deadline.cancel()
      for (const outcome of outcomes) parts.cache.countServed(outcome)
      const answered = outcomes.flatMap((outcome) => ('response' in outcome ? [outcome] : []))
      if (able.length > 0 && answered.length === 0) {
        throw new Refusal('suggestions_failed', 'No suggestion provider responded.', { 'Retry-After': RETRY_SECONDS })
      }
      const lists = answered.map(({ response }) => response)
      const suggestions = withoutBlocked(mergeSuggestions(lists, query.text), rules)
      return { suggestions, status: statusOf(answered, able.length) }
    },
  }
}

function statusOf(answered: readonly { isStale: boolean }[], asked: number): SearchStatus {
  if (asked === 0) return 'unsupported'
  const fresh = answered.filter(({ isStale }) => !isStale).length
  if (fresh === 0) return 'stale'
  return fresh < asked ? 'partial' : 'complete'
}

const supportsLanguage = (languages: readonly string[] | undefined, lang: string): boolean =>
  lang === '' || !languages || languages.includes(languageTag(lang).base)

interface Asking {
  caller: Caller
  query: SuggestQuery
  deadline: Deadline
  parts: SuggestParts
}

function askSuggester(bound: BoundEngine, { caller, query, deadline, parts }: Asking): Promise<string[]> {
  const { slug, suggest } = bound.engine
  const observe = (outcome: Omit<SuggestObservation, 'slug'>) => parts.observe({ slug, ...outcome })
  return observeCall(slug, { observe, log: parts.log }, async () => {
    if (!suggest) throw new UpstreamError('rejected', 'the engine has no suggestions')
    const { priceFactor } = suggest
    const isForVisitor = caller.isVisitor
    const request = {
      ...suggest.request(query, bound.settings),
      ...(priceFactor !== undefined && { priceFactor }),
      isForVisitor,
    }
    return await bound.ask(request, deadline, (reply) => suggest.parse(reply))
  })
}

/** Ranks by position and agreement, ignoring case and spacing. Blanks and the query itself are dropped. */
function mergeSuggestions(lists: readonly string[][], text: string): string[] {
  const asked = normalised(text)
  const found = new Map<string, { suggestion: string; score: number }>()
  for (const list of lists) {
    list.forEach((suggestion, index) => {
      const name = normalised(suggestion)
      if (name === '' || name === asked) return
      const known = found.get(name) ?? { suggestion: suggestion.trim(), score: 0 }
      known.score += 1 / (index + 1)
      found.set(name, known)
    })
  }
  return [...found.values()]
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ suggestion }) => suggestion)
}

const normalised = (text: string): string => text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase()
