// How callers are called in Redis: a key by its id, and all its entries begin with `{id}`. Where the keys of a user have
// limits together, one script looks at both, so the entries of the key begin with `{user:<user>}:<id>` instead, and the
// name of the key is `<user>/<id>`. What is in braces decides on which node of a cluster an entry is.

const WITH_USER = /^(\d+)\/(.+)$/

export const redisName = (caller: string, userId: string | undefined): string =>
  userId === undefined ? caller : `${userId}/${caller}`

/** The beginning of all entries of a caller. */
export function tagOf(prefix: string, name: string): string {
  // Most instances have no limits for users.
  if (!name.includes('/')) return `${prefix}{${name}}`
  const [, user, caller] = WITH_USER.exec(name) ?? []
  return user === undefined ? `${prefix}{${name}}` : `${userTagOf(prefix, user)}:${caller}`
}

export const userTagOf = (prefix: string, user: string): string => `${prefix}{user:${user}}`

export const callerOf = (name: string): string => WITH_USER.exec(name)?.[2] ?? name
