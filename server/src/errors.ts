// A Refusal is meant for the client and contains only text that is safe to show. The other error type is the engines'
// UpstreamError. Anything else that is thrown is a bug, answered with a 500 without details.
import type { z } from 'zod'

/** Messages by parameter name, as the body of a 400. */
export type FieldMessages = Record<string, string[]>

export function fieldMessages({ issues }: z.ZodError): FieldMessages {
  const messages: FieldMessages = {}
  for (const { path, message } of issues) {
    const name = String(path[0] ?? 'detail')
    messages[name] = [...(messages[name] ?? []), message]
  }
  return messages
}

/** Where a refusal can have several causes, `reason` is a stable word that programs can compare. */
export type RefusalBody = { detail: string; reason?: string; status?: number } | FieldMessages

export class Refusal extends Error {
  readonly status: number
  readonly body: RefusalBody
  readonly headers: Record<string, string>

  constructor(status: number, body: RefusalBody | string, headers: Record<string, string> = {}) {
    super(`refused with ${status}`)
    this.status = status
    this.body = typeof body === 'string' ? { detail: body } : body
    this.headers = headers
  }
}

const DEFAULT_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 3_600

/** Seconds to wait after several providers have all failed: the shortest wait that any of them asked for. */
export function retrySeconds(waits: readonly (number | undefined)[]): number {
  const shortest = Math.min(...waits.map((wait) => wait ?? DEFAULT_RETRY_SECONDS))
  return Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(shortest)))
}
