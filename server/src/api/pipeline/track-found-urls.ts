// Remembers the URLs that a key's searches and cards return, if the key may read only those.
import type { HitOf, Tab } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { READ_ANY_SCOPE, READ_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { ApiServices } from '../api-services.ts'

const readsOnlyFound = ({ scopes }: VerifiedKey): boolean => scopes.has(READ_SCOPE) && !scopes.has(READ_ANY_SCOPE)

/** `servicesFor` calls this for a search; a reply from the answer cache needs a call of its own. */
export function rememberFound(key: VerifiedKey, { reader }: ApiServices, addresses: readonly string[]): void {
  if (readsOnlyFound(key)) reader?.found.remember(key.keyId, addresses)
}

/** The same services, with a search and cards that remember their addresses for this key. */
export function servicesFor(key: VerifiedKey, services: ApiServices): ApiServices {
  const { reader, search, cards } = services
  if (!reader || !readsOnlyFound(key)) return services
  return {
    ...services,
    search: {
      ...search,
      async search(tab, request, watcher) {
        const answer = await search.search(tab, request, watcher)
        rememberFound(key, services, foundIn(answer.results))
        return answer
      },
    },
    cards: {
      ...cards,
      async cards(query) {
        const answer = await cards.cards(query)
        rememberFound(key, services, addressesIn(answer.cards))
        return answer
      },
    },
  }
}

/** The addresses that results show, and those that other engines gave for the same pages. */
export const foundIn = (results: readonly MergedHit<HitOf[Tab]>[]): string[] =>
  results.flatMap(({ hit, contributions }) => [
    hit.url,
    ...contributions.map(({ url }) => url),
    ...('sitelinks' in hit ? hit.sitelinks.map(({ url }) => url) : []),
  ])

/** The addresses of a card, wherever in it they are. */
const addressesIn = (value: unknown): string[] => {
  if (typeof value === 'string') return httpAddress(value) === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(addressesIn) : []
}
