// Validates the parameters of a request against an endpoint's schema. Returns the values, or all errors at once, keyed
// by parameter.
import type { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'

/** `ignored` lists the names of parameters that the endpoint doesn't have, for the header; '' or absent if there are none. */
export type ReadParams<Params> =
  | { ok: true; params: Params; ignored?: string | undefined }
  | { ok: false; messages: FieldMessages }

/** Parameters that may be repeated, as a form's checkboxes are: `engine=engine_a&engine=engine_b`. */
const LIST_PARAMS = new Set(['engine', 'include'])

export function readParams<Params extends z.ZodObject>(
  schema: Params,
  query: Record<string, unknown>,
): ReadParams<z.output<Params>> {
  const messages: FieldMessages = {}
  let joined = query
  for (const name of Object.keys(query)) {
    const value = query[name]
    if (!Array.isArray(value)) continue
    joined = joined === query ? { ...query } : joined
    joined[name] = value.join(' ')
    if (!LIST_PARAMS.has(name) && name in schema.shape) messages[name] = ['Send this parameter only once.']
  }
  const parsed = schema.safeParse(joined)
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0] ?? 'detail')
    messages[name] ??= []
    if (messages[name][0] !== 'Send this parameter only once.') messages[name].push(issue.message)
  }
  if (parsed.success && Object.keys(messages).length === 0)
    return { ok: true, params: parsed.data, ignored: ignoredNames(schema, query) }
  return { ok: false, messages }
}

const MAX_IGNORED = 20
/** Anything else can't be the name of a parameter, and may not be fit for a header. */
const NAME = /^[\w.-]{1,40}$/

const ignoredNames = ({ shape }: z.ZodObject, query: Record<string, unknown>): string =>
  Object.keys(query)
    .filter((name) => !Object.hasOwn(shape, name) && NAME.test(name))
    .slice(0, MAX_IGNORED)
    .join(', ')
