import { expect, it } from 'vitest'
import { type FoundSecret, KeyCache } from './key-cache.ts'

const secretNamed = (prefix: string, name: string): FoundSecret => ({
  key: {
    keyId: '1',
    userId: '1',
    username: 'ada',
    name,
    prefix,
    isGrant: false,
    scopes: new Set(['search']),
    burst: undefined,
    sustained: undefined,
    createdAt: new Date(0),
    expiresAt: undefined,
    lastUsedAt: undefined,
  },
  secretHash: new Uint8Array(32),
  isAllowedFrom: undefined,
  isRevoked: false,
  isDisabled: false,
  endsAt: Infinity,
  version: '1',
})

async function keptOf(count: number, name: string): Promise<number> {
  const cache = new KeyCache((prefix) => Promise.resolve(secretNamed(prefix, name)), 100_000)
  for (let i = 0; i < count; i++) await cache.lookUp(`key-${i}`, 0)
  return Array.from({ length: count }, (_, i) => cache.recall(`key-${i}`, 0)).filter(Boolean).length
}

it('cached keys stay within their memory: fewer of them if their names are long', async () => {
  const short = await keptOf(500, 'x')
  const long = await keptOf(500, 'x'.repeat(100))
  expect(short).toBeGreaterThan(100)
  expect(short).toBeLessThan(125)
  expect(long).toBeGreaterThan(80)
  expect(long).toBeLessThan(short)
})

it('the least recently used key is evicted first', async () => {
  const cache = new KeyCache((prefix) => Promise.resolve(secretNamed(prefix, '')), 3_000)
  for (const prefix of ['one', 'two', 'three']) await cache.lookUp(prefix, 0)
  cache.recall('one', 0)
  await cache.lookUp('four', 0)
  expect(['one', 'two', 'three', 'four'].filter((prefix) => cache.recall(prefix, 0))).toEqual(['one', 'three', 'four'])
})
