// What a key has found is bounded and its own, in Redis and in the process.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeRedis } from '../../test/support/worker-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from '../redis/redis-client.ts'
import { createKeyedHash } from '../text/cryptography.ts'
import { createReadableUrls, MAX_ENTRIES_PER_KEY } from './readable-urls.ts'

const hash = createKeyedHash('a secret of tests', 'found addresses')
const pages = (name: string, count: number) => Array.from({ length: count }, (_, at) => `https://${name}.example/${at}`)

describe('the URLs that a key has found', () => {
  let taken: Awaited<ReturnType<typeof takeRedis>>
  let redis: RedisClient
  beforeAll(async () => {
    taken = await takeRedis()
    redis = await openRedis(taken.url, createLog('silent'))
  })
  afterAll(async () => {
    await redis.close()
    taken.giveBack()
  })

  /** A node of the instance. */
  const open = () => createReadableUrls({ list: 'found', redis, hash, clock: Date.now })

  it('are known on every node, without their fragment', async () => {
    const [node, other] = [open(), open()]
    node.remember('1', ['https://oak.example/tree#leaf'])
    await expect.poll(() => other.find('1', 'https://oak.example/tree')).toBe('https://oak.example/tree')
    expect(await other.find('1', 'https://oak.example/root')).toBe(undefined)
    expect(await other.find('2', 'https://oak.example/tree')).toBe(undefined)
  })

  it.each([
    ['https://oak.example/tree/', 'https://oak.example/tree'],
    ['http://www.oak.example/tree', 'https://oak.example/tree'],
    ['https://oak.example/tree?utm_source=what-i-know', 'https://oak.example/tree'],
    ['http://elm.example/map', 'http://www.elm.example/map/'],
    ['https://ash.example/letter', 'https://ash.example/letter'],
    ['https://m.ash.example/letter?gclid=what-i-know', 'https://ash.example/letter'],
    ['https://youtu.be/dQw4w9WgXcQ?si=what-i-know', 'https://youtube.com/watch?v=dQw4w9WgXcQ'],
  ])('%s is read at %s', async (sent, fetched) => {
    const node = open()
    node.remember('8', [
      'https://oak.example/tree',
      'http://www.elm.example/map/',
      'https://ash.example/letter?utm_source=a',
    ])
    node.remember('8', ['https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=10s'])
    expect(await node.find('8', sent)).toBe(fetched)
  })

  it('are no more than the newest 2,000 in Redis', async () => {
    let now = Date.now()
    const node = createReadableUrls({ list: 'found', redis, hash, clock: () => now })
    for (const name of ['first', 'second', 'third']) {
      node.remember('3', pages(name, 1_000))
      now += 1
    }
    await expect.poll(() => open().find('3', 'https://third.example/999')).toBe('https://third.example/999')
    expect(await redis.send('ZCARD', 'bb:{3}:found')).toBe(MAX_ENTRIES_PER_KEY)
    expect(await open().find('3', 'https://first.example/0')).toBe(undefined)
    expect(await open().find('3', 'https://second.example/0')).toBe('https://second.example/0')
  })

  it('are apart from what their pages link to', async () => {
    const linked = createReadableUrls({ list: 'linked', redis, hash, clock: Date.now })
    linked.remember('9', ['https://oak.example/source'])
    await expect.poll(() => redis.send('ZCARD', 'bb:{9}:linked')).toBe(2)
    expect(await open().find('9', 'https://oak.example/source')).toBe(undefined)
    expect(await linked.find('9', 'https://oak.example/source/')).toBe('https://oak.example/source')
  })

  it('cannot be linked: two keys that found the same page have different entries', async () => {
    open().remember('4', ['https://oak.example/tree'])
    open().remember('5', ['https://oak.example/tree'])
    const entriesOf = (key: string) => redis.send('ZRANGE', `bb:{${key}}:found`, '0', '-1')
    await expect.poll(() => entriesOf('5')).toHaveLength(2)
    expect(await entriesOf('4')).not.toEqual(await entriesOf('5'))
  })

  it('are not pushed out of the memory of a process by another key', async () => {
    const alone = createReadableUrls({ list: 'found', redis: undefined, hash, clock: Date.now })
    alone.remember('6', ['https://oak.example/tree'])
    for (const name of ['a', 'b', 'c']) alone.remember('7', pages(name, 10_000))
    expect(await alone.find('6', 'https://oak.example/tree')).toBe('https://oak.example/tree')
    expect(await alone.find('7', 'https://a.example/0')).toBe(undefined)
    expect(await alone.find('7', 'https://c.example/9999')).toBe('https://c.example/9999')
  })
})
