// For a key that reads only what it has found: the same services, with a search that remembers the addresses it returns.
import { READ_ANY_SCOPE, READ_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { ApiServices } from '../api-services.ts'

export function servicesFor({ keyId, scopes }: VerifiedKey, services: ApiServices): ApiServices {
  const { reader, search } = services
  if (!reader || !scopes.has(READ_SCOPE) || scopes.has(READ_ANY_SCOPE)) return services
  return {
    ...services,
    search: {
      ...search,
      async search(tab, request, watcher) {
        const answer = await search.search(tab, request, watcher)
        reader.found.remember(
          keyId,
          answer.results.map(({ hit }) => hit.url),
        )
        return answer
      },
    },
  }
}
