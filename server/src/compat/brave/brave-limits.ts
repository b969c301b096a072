// Brave's headers about limits, one number for each window, made of those that every reply of ours has: `60, 5000`.
import type { FastifyReply } from 'fastify'

const WINDOWS = ['"burst"', '"sustained"'] as const

type Members = Partial<Record<string, string>>

/** From `"burst";q=60;w=60, "sustained";q=5000;w=86400`, in any order. */
function windowsIn(header: unknown): Members[] | undefined {
  if (typeof header !== 'string') return undefined
  const items = header.split(', ').map((item) => item.split(';'))
  return WINDOWS.map((name) => {
    const members = items.find(([first]) => first === name)?.slice(1) ?? []
    return Object.fromEntries(members.map((member) => member.split('=')))
  })
}

const list = (windows: readonly Members[], write: (window: Members) => string | undefined): string =>
  windows.map((window) => write(window) ?? '0').join(', ')

export function addBraveLimits(reply: FastifyReply): void {
  const policy = windowsIn(reply.getHeader('RateLimit-Policy'))
  const state = windowsIn(reply.getHeader('RateLimit'))
  // A request without a valid key has none.
  if (!policy || !state) return
  reply.headers({
    'X-RateLimit-Limit': list(policy, ({ q }) => q),
    'X-RateLimit-Policy': list(policy, ({ q, w }) => `${q};w=${w}`),
    'X-RateLimit-Remaining': list(state, ({ r }) => r),
    'X-RateLimit-Reset': list(state, ({ t }) => t),
  })
}
