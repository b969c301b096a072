// What a test does to a Redis from outside, as an operator would, over a connection that is none of the instance's.
import { Redis } from 'ioredis'
import { afterAll } from 'vitest'

/** Opened when it is first used, and closed after the last test of the file. */
export function useRedisAdmin(url: () => string): () => Redis {
  let admin: Redis | undefined
  afterAll(() => admin?.disconnect())
  return () => {
    if (admin) return admin
    admin = new Redis(url(), { maxRetriesPerRequest: null })
    admin.on('error', () => 'tests stop servers on purpose')
    return admin
  }
}
