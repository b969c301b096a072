// Validates a query string against an endpoint's parameters. Returns the values, or all errors at once, keyed by
// parameter.
import type { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'

export type ReadParams<Params> = { ok: true; params: Params } | { ok: false; messages: FieldMessages }

/** Parameters that may be repeated, as a form's checkboxes are: `engine=engine_a&engine=engine_b`. */
const LISTS = new Set(['engine', 'include'])

export function readParams<Params extends z.ZodObject>(
  schema: Params,
  query: Record<string, unknown>,
): ReadParams<z.output<Params>> {
  const messages: FieldMessages = {}
  let given = query
  for (const name of Object.keys(query)) {
    const value = query[name]
    if (!Array.isArray(value)) continue
    given = given === query ? { ...query } : given
    given[name] = value.join(' ')
    if (!LISTS.has(name) && name in schema.shape) messages[name] = ['Send this parameter only once.']
  }
  const read = schema.safeParse(given)
  for (const issue of read.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'detail')
    messages[name] ??= []
    if (messages[name][0] !== 'Send this parameter only once.') messages[name].push(issue.message)
  }
  if (read.success && Object.keys(messages).length === 0) return { ok: true, params: read.data }
  return { ok: false, messages }
}
