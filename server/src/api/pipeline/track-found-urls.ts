// Remembers the URLs that a key's searches return, if the key may read only those.
import { READ_ANY_SCOPE, READ_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ApiServices } from '../api-services.ts'

const readsOnlyFound = ({ scopes }: VerifiedKey): boolean => scopes.has(READ_SCOPE) && !scopes.has(READ_ANY_SCOPE)

/** `servicesFor` calls this for a search; a reply from the answer cache needs a call of its own. */
export function rememberFound(key: VerifiedKey, { reader }: ApiServices, addresses: readonly string[]): void {
  if (readsOnlyFound(key)) reader?.found.remember(key.keyId, addresses)
}

/** The same services, with a search that remembers its results for this key. */
export function servicesFor(key: VerifiedKey, services: ApiServices): ApiServices {
  const { reader, search } = services
  if (!reader || !readsOnlyFound(key)) return services
  return {
    ...services,
    search: {
      ...search,
      async search(tab, request, watcher) {
        const answer = await search.search(tab, request, watcher)
        rememberFound(
          key,
          services,
          answer.results.map(({ hit }) => hit.url),
        )
        return answer
      },
    },
  }
}
