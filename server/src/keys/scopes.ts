// What a key can be used for. Each endpoint needs exactly one of these scopes, except the root, `status/`, `key/` and
// `usage/`, which accept any valid key.
//
// `address` is a mark rather than a scope: such a key may stand in a URL (`/k/<key>/…`), where it ends up in the logs of
// proxies, so it can be used for searches and nothing else. No key gets the mark by default.
//
// `read` lets a key read the pages that its own searches have found lately, and with `read_any` beside it any page. No
// key gets either by default: a page that is read is fetched from this instance's address.

/** What a key can be used for unless something else is said. */
export const SCOPES = ['search', 'maps', 'translate', 'answers'] as const
export const READ_SCOPE = 'read'
export const READ_ANY_SCOPE = 'read_any'
export const ADDRESS_MARK = 'address'
/** What a key's owner can choose; `read_any` is for the operator to give. */
export const CHOOSABLE_SCOPES = [...SCOPES, READ_SCOPE] as const
export const ALL_SCOPES = [...CHOOSABLE_SCOPES, READ_ANY_SCOPE] as const
const SCOPES_AND_MARK = [...ALL_SCOPES, ADDRESS_MARK] as const
export type Scope = (typeof SCOPES_AND_MARK)[number]

export const isScope = (text: string): text is Scope => SCOPES_AND_MARK.some((scope) => scope === text)

/** Each known scope once, in the usual order. */
export const inOrder = (scopes: readonly string[]): Scope[] => SCOPES_AND_MARK.filter((scope) => scopes.includes(scope))

/** A key for addresses has the search scope and no other. */
export const isAllowedTogether = (scopes: readonly string[]): boolean =>
  !scopes.includes(ADDRESS_MARK) ||
  (scopes.includes('search') && scopes.every((scope) => scope === 'search' || scope === ADDRESS_MARK))
