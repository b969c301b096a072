// Redis servers that outlive a test file: each is used by one file at a time, emptied, and returned for the next one in
// this worker. A test that stops or freezes its Redis uses `private-redis.ts`.
import { once } from 'node:events'
import { connect } from 'node:net'
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts'

export interface TakenRedis {
  url: string
  giveBack: () => void
}

const free: PrivateRedis[] = []

export async function takeRedis(): Promise<TakenRedis> {
  const redis = free.pop() ?? (await startPrivateRedis())
  await empty(redis)
  return { url: redis.url, giveBack: () => void free.push(redis) }
}

async function empty({ port }: PrivateRedis): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('FLUSHALL\r\n')
  const [reply] = await once(socket, 'data')
  socket.destroy()
  if (!String(reply).startsWith('+OK')) throw new Error(`Redis could not be emptied: ${String(reply)}`)
}
