// An operator's connection to Redis, separate from the instance's.
import { Redis } from 'ioredis'
import { afterAll } from 'vitest'

/** Opened on first use, and closed after the last test of the file. */
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
