// What a key may be used for. Each endpoint needs exactly one of these, except the root, `status/`, `key/` and
// `usage/`, which every valid key may ask.

export const SCOPES = ['search', 'maps', 'translate', 'answers'] as const
export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text)
