// `extends`: a document that says only what is different from another one, as a JSON Merge Patch (RFC 7396): members are
// merged, lists replaced, and `null` removes.

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch
  const members = new Map(isMembers(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, merged(members.get(name), value))
  }
  // Not by assignment: a member may be called `__proto__`.
  return Object.fromEntries(members)
}

/** The whole of a document. What it extends must be complete; an unknown name is left for the check to report. */
export function extended(document: unknown, others: readonly unknown[]): unknown {
  if (!isMembers(document) || document['extends'] === undefined) return document
  const { extends: name, ...patch } = document
  const target = others.find((other) => isMembers(other) && other['slug'] === name && other['extends'] === undefined)
  return target === undefined ? document : merged(target, patch)
}
