// Validates the members of a JSON object. Returns the values, or all errors at once, keyed by member.
import type { z } from 'zod'
import type { ReadParams } from '../api/pipeline/read-params.ts'
import type { FieldMessages } from '../errors.ts'

export function readMembers<Members extends z.ZodObject>(
  schema: Members,
  given: Record<string, unknown>,
): ReadParams<z.output<Members>> {
  const read = schema.safeParse(given)
  if (read.success) return { ok: true, params: read.data }
  const messages: FieldMessages = {}
  for (const { path, message } of read.error.issues) {
    const name = String(path[0] ?? 'detail')
    messages[name] = [...(messages[name] ?? []), message]
  }
  return { ok: false, messages }
}
