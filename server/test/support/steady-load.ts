// Clients that send requests without pause while servers are killed, frozen or restarted.
import type { ApiReply } from './api-client.ts'

export interface Observation {
  status: number
  ms: number
}

/** `ask` gets a number that rises with every request. A request without any reply is a rejection. */
export async function underLoad(
  { clients, ask }: { clients: number; ask: (turn: number) => Promise<ApiReply> },
  happening: () => Promise<void>,
): Promise<Observation[]> {
  const seen: Observation[] = []
  const over = new AbortController()
  let turn = 0
  const client = async () => {
    while (!over.signal.aborted) {
      const askedAt = performance.now()
      const { status } = await ask(turn++)
      seen.push({ status, ms: performance.now() - askedAt })
    }
  }
  const asking = Promise.all(Array.from({ length: clients }, client))
  try {
    await happening()
  } finally {
    over.abort()
  }
  await asking
  return seen
}

export const statusesOf = (seen: readonly { status: number }[]): number[] =>
  [...new Set(seen.map(({ status }) => status))].sort((one, other) => one - other)
