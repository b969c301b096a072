// Keeps secrets in the queries of a request with a key from engines and data sources, as QUERY_GUARD says. It is the one
// way to them for the API, streams, MCP and the compatible APIs, and it comes before the cache, so that nothing
// is stored under a query with a secret.
//
// An instant answer is computed from the query as it is, because `sha256 of …` would be wrong for any other; but only if
// it asks nobody. Translation and private engines are the operator's own, and aren't guarded.
import { type GuardReport, secretRefusal } from '../../search/query-guard.ts'
import { formsOf, secretsIn, withoutSecrets } from '../../text/secrets-in-text.ts'
import type { ApiServices } from '../api-services.ts'

/** The same services behind the guard. `report` is called before anyone is asked. */
export function guardQueries(services: ApiServices, report: (report: GuardReport) => void): ApiServices {
  const { queryGuard, search, suggest, answers, cards, maps } = services
  if (queryGuard === 'off') return services

  /** The request if it may be sent as it is, or what to send instead. */
  function guard<Request extends { text: string }>(
    request: Request,
    redact: (withoutSecrets: string) => Request,
  ): Request {
    const secrets = secretsIn(request.text)
    if (secrets.length === 0) return request
    const forms = formsOf(secrets)
    if (queryGuard === 'refuse') throw secretRefusal(forms)
    report({ action: queryGuard === 'warn' ? 'warned' : 'redacted', forms })
    return queryGuard === 'warn' ? request : redact(withoutSecrets(request.text, secrets))
  }
  const redacted = <Request extends { text: string }>(request: Request): Request =>
    guard(request, (text) => ({ ...request, text }))

  return {
    ...services,
    search: {
      ...search,
      preview: async (tab, request) => await search.preview(tab, redacted(request)),
      search: async (tab, request, watcher) => await search.search(tab, redacted(request), watcher),
    },
    suggest: { ...suggest, suggest: async (query) => await suggest.suggest(redacted(query)) },
    answers: {
      ...answers,
      answer: async (request) => await answers.answer(guard(request, () => ({ ...request, asksNobody: true }))),
    },
    cards: { ...cards, cards: async (query) => await cards.cards(redacted(query)) },
    maps: { ...maps, forward: async (query) => await maps.forward(redacted(query)) },
  }
}
