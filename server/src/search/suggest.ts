// Search-bar completion: every suggester is asked at once, and what several of them say, or say early, comes first.
// Some fail: the others answer. All fail: a refusal, because an empty list would say that there is nothing to suggest.
import type { SuggestQuery } from '../engines/engine.ts'
import { languageTag } from '../engines/language-tag.ts'
import { Refusal, UpstreamError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Deadline } from '../upstream/deadline.ts'
import type { BoundEngine } from './plan.ts'

export interface SuggestObservation {
  slug: string
  ms: number
  error: UpstreamError | undefined
}

interface SuggestParts {
  engines: readonly BoundEngine[]
  startDeadline: () => Deadline
  observe: (observation: SuggestObservation) => void
  log: Log
}

export interface SuggestAnswer {
  suggestions: string[]
  status: 'complete' | 'partial' | 'unsupported'
}

export interface Suggest {
  suggest: (query: SuggestQuery) => Promise<SuggestAnswer>
}

const MOST_SUGGESTIONS = 10
const RETRY_SECONDS = '5'

export function createSuggest(parts: SuggestParts): Suggest {
  return {
    async suggest(query) {
      if (parts.engines.length === 0) throw new Refusal(503, 'Suggestions are not configured on this deployment.')
      const able = parts.engines.filter(({ engine }) => speaks(engine.suggest?.languages, query.lang))
      const deadline = parts.startDeadline()
      const lists = await Promise.all(able.map((bound) => askSuggester(bound, { query, deadline, parts })))
      deadline.cancel()
      const answered = lists.filter((list) => list !== undefined)
      if (able.length > 0 && answered.length === 0) {
        throw new Refusal(503, 'No provider of suggestions answered.', { 'Retry-After': RETRY_SECONDS })
      }
      const status = able.length === 0 ? 'unsupported' : answered.length < able.length ? 'partial' : 'complete'
      return { suggestions: joined(answered, query.text), status }
    },
  }
}

const speaks = (languages: readonly string[] | undefined, lang: string): boolean =>
  lang === '' || !languages || languages.includes(languageTag(lang).base)

async function askSuggester(
  bound: BoundEngine,
  { query, deadline, parts }: { query: SuggestQuery; deadline: Deadline; parts: SuggestParts },
): Promise<string[] | undefined> {
  const { engine, settings } = bound
  if (!engine.suggest) return undefined
  const started = performance.now()
  const tell = (error: UpstreamError | undefined) => {
    bound.report(error)
    parts.observe({ slug: engine.slug, ms: Math.round(performance.now() - started), error })
  }
  try {
    const suggestions = engine.suggest.parse(await bound.ask(engine.suggest.request(query, settings), deadline))
    tell(undefined)
    return suggestions
  } catch (thrown) {
    const error = thrown instanceof UpstreamError ? thrown : new UpstreamError('malformed', 'the adapter failed')
    if (error !== thrown) parts.log.error({ err: thrown, engine: engine.slug })
    tell(error)
    return undefined
  }
}

/** Position decides, agreement adds; case does not count, blanks and the query itself are no suggestions. */
function joined(lists: readonly string[][], text: string): string[] {
  const asked = text.toLowerCase()
  const found = new Map<string, { suggestion: string; score: number }>()
  for (const list of lists) {
    list.forEach((suggestion, index) => {
      const name = suggestion.trim().toLowerCase()
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
