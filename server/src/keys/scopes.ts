// The scopes of keys. Each endpoint needs exactly one of them, except the root, `status/`, `key/` and `usage/`, which
// accept any valid key.
//
// `address` restricts a key rather than extending it: such a key may be part of a URL (`/k/<key>/…`), which ends up in
// the logs of proxies, so it can be used for searches and nothing else. No key has it by default.
//
// `read` lets a key read pages that its own searches found recently; together with `read_links`, also those that such a
// page links to; together with `read_any`, any page. No key has any of them by default, because pages are fetched from
// this instance's IP address.
//
// `mine` lets a key search the private engines. No key has it by default: a key that was given away for searching the
// web must not find its owner's own things.

export const DEFAULT_SCOPES = ['search', 'maps', 'translate', 'answers'] as const
export const READ_SCOPE = 'read'
export const READ_LINKS_SCOPE = 'read_links'
export const READ_ANY_SCOPE = 'read_any'
export const MINE_SCOPE = 'mine'
export const URL_KEY_SCOPE = 'address'
/** The scopes that a key's owner can choose; only the operator can grant `read_any`. */
export const CHOOSABLE_SCOPES = [...DEFAULT_SCOPES, READ_SCOPE, READ_LINKS_SCOPE, MINE_SCOPE] as const
/** The scopes that permit something: all but `address`. */
export const PERMISSION_SCOPES = [...CHOOSABLE_SCOPES, READ_ANY_SCOPE] as const
const EVERY_SCOPE = [...PERMISSION_SCOPES, URL_KEY_SCOPE] as const
export type Scope = (typeof EVERY_SCOPE)[number]

export const isScope = (text: string): text is Scope => EVERY_SCOPE.some((scope) => scope === text)

/** Returns each known scope in the list once, in the order above. */
export const normaliseScopes = (scopes: readonly string[]): Scope[] =>
  EVERY_SCOPE.filter((scope) => scopes.includes(scope))

/** A key with the scope `address` must have the search scope and no other. */
export const isAllowedTogether = (scopes: readonly string[]): boolean =>
  !scopes.includes(URL_KEY_SCOPE) ||
  (scopes.includes('search') && scopes.every((scope) => scope === 'search' || scope === URL_KEY_SCOPE))
