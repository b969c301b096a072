import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis, type RedisOptions, ReplyError } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { RedisTimeout } from './redis-answer.ts'
import { defineScript } from './redis-script.ts'
import { openRedisServer, type RedisServer } from './redis-server.ts'

let redis: PrivateRedis
let admin: Redis
let opened: RedisServer[] = []
beforeAll(async () => {
  redis = await startPrivateRedis()
  admin = new Redis(redis.url)
  admin.on('error', () => 'it is killed on purpose')
})
afterEach(async () => {
  await Promise.all(opened.map((server) => server.close()))
  opened = []
})
afterAll(async () => {
  admin.disconnect()
  await redis.remove()
})

async function openClient(own: RedisOptions = {}) {
  const events: (Error | 'ready')[] = []
  const server = openRedisServer({
    options: { host: '127.0.0.1', port: redis.port, ...own },
    isOfCluster: false,
    probeKey: () => 'bb:probe',
    onReady: () => events.push('ready'),
    onFailure: (error) => events.push(error),
  })
  opened.push(server)
  await server.opened
  return { ...server, events }
}

const becomesReady = (server: RedisServer) => expect.poll(server.isReady, { timeout: 5_000 }).toBe(true)
const idOf = (server: RedisServer) => server.send('CLIENT', 'ID')

const INCREASE = defineScript(`return {redis.call('INCR', KEYS[1]), tonumber(ARGV[1])}`)

describe('a Redis server', () => {
  it('10,000 commands at once get each its own reply', async () => {
    const server = await openClient()
    const replies = await Promise.all(
      Array.from({ length: 10_000 }, (_, i) => (i % 3 ? server.send('ECHO', `${i}`) : server.send('INCR', 'many'))),
    )
    const expected = Array.from({ length: 10_000 }, (_, i) => (i % 3 ? `${i}` : i / 3 + 1))
    expect(replies).toEqual(expected)
  })

  it('text of any script arrives as it was sent, and 40 MB do not choke it', async () => {
    const server = await openClient()
    expect(await server.send('ECHO', 'Käse 🧀 \r\n$3')).toBe('Käse 🧀 \r\n$3')
    const large = 'x'.repeat(1_000_000)
    const lengths = Array.from({ length: 40 }, async () => {
      await server.send('SET', 'large', large)
      return await server.send('STRLEN', 'large')
    })
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([1_000_000]))
  })

  it('a refused command gives undefined, and the connection and the others are not affected', async () => {
    const server = await openClient()
    const id = await idOf(server)
    const replies = await Promise.all([
      server.send('ECHO', 'a'),
      server.send('NOSUCH'),
      server.send('GET', 'nothing'),
      server.send('HGETALL', 'nothing'),
    ])
    expect(replies).toEqual(['a', undefined, null, []])
    expect(server.events).toEqual(['ready', expect.any(ReplyError)])
    expect(await idOf(server)).toBe(id)
  })

  it('a script that the server has forgotten is run once all the same, and every reply finds its question', async () => {
    const server = await openClient()
    await server.evaluate(INCREASE, ['forgotten'], ['0'])
    await admin.script('FLUSH')
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        i % 2 ? await server.evaluate(INCREASE, ['forgotten'], [`${i}`]) : await server.send('ECHO', `${i}`),
      ),
    )
    const given = replies.map((reply, i) => (i % 2 ? Array.isArray(reply) && reply[1] : Number(reply)))
    expect(given).toEqual([...Array(50).keys()])
    expect(await admin.get('forgotten')).toBe('26')
    expect(server.events).toEqual(['ready'])
  })

  it('a script is run in its place from its first call on, also by a server that does not know it', async () => {
    await admin.script('FLUSH')
    const server = await openClient()
    const increase = defineScript(`return redis.call('INCR', KEYS[1])`)
    const replies = [server.evaluate(increase, ['placed'], []), server.send('GET', 'placed')]
    expect(await Promise.all(replies)).toEqual([1, '1'])
  })

  it('a script that fails gives undefined', async () => {
    const server = await openClient()
    const failing = defineScript(`return redis.call('INCR', KEYS[1])`)
    await admin.set('text', 'not a number')
    expect(await server.evaluate(failing, ['text'], [])).toBeUndefined()
  })

  it('closing waits for what was given in the same moment', async () => {
    const server = await openClient()
    const replies = Array.from({ length: 1_000 }, () => server.send('INCR', 'last'))
    await Promise.all([server.close(), server.close()])
    expect(await admin.get('last')).toBe('1000')
    expect(await Promise.all(replies)).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
    expect(server.isReady()).toBe(false)
    expect(await server.send('PING')).toBeUndefined()
  })
})

describe('the greeting', () => {
  afterEach(async () => {
    await admin.config('SET', 'requirepass', '')
  })

  it('gives the password, the user and the database, and says who we are', async () => {
    await admin.call('ACL', 'SETUSER', 'bower', 'on', '>geheim', '~*', '+@all')
    await admin.config('SET', 'requirepass', 'pass word')
    const wires = [
      await openClient({ password: 'pass word', db: 3 }),
      await openClient({ username: 'bower', password: 'geheim', db: 3 }),
    ]
    for (const server of wires) {
      expect(server.isReady()).toBe(true)
      expect(await server.send('CLIENT', 'INFO')).toMatch(/ name=bowerbird .* db=3 /)
    }
  })

  it.each([
    ['no password', undefined],
    ['a wrong password', 'wrong'],
  ])('with %s it is never ready, says why, and is ready once the server lets it in', async (_, password) => {
    await admin.config('SET', 'requirepass', 'right')
    const server = await openClient({ password })
    expect(server.isReady()).toBe(false)
    expect(server.events).toEqual([expect.any(Error)])
    expect(await server.send('SET', 'intruder', '1')).toBeUndefined()
    expect(await admin.exists('intruder')).toBe(0)
    await admin.config('SET', 'requirepass', password ?? '')
    await becomesReady(server)
  })

  it('names the run of the server, or each connection where that is a secret', async () => {
    const server = await openClient()
    expect((await admin.info('replication')).includes(`master_replid:${server.run()}`)).toBe(true)
    await admin.call('ACL', 'SETUSER', 'narrow', 'on', '>geheim', '~*', '+@all', '-info', '-client|setname')
    const narrow = [1, 2].map(() => openClient({ username: 'narrow', password: 'geheim' }))
    const [one, other] = await Promise.all(narrow)
    expect(one?.run()).toMatch(/^[0-9a-f]{12}$/)
    expect(one?.run()).not.toBe(other?.run())
    expect(one?.events).toEqual(['ready'])
  })
})

describe('a server that goes away', () => {
  it('killed: what waits gives undefined and is not sent again; started: it is another run', async () => {
    const server = await openClient()
    const run = server.run()
    const waiting = ['BLPOP empty 0', 'INCR resent', 'INCR resent'].map((line) =>
      server.send(line.split(' ')[0] ?? '', ...line.split(' ').slice(1)),
    )
    await expect.poll(async () => (await admin.info('clients')).includes('blocked_clients:1')).toBe(true)
    await redis.stop()
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined])
    expect(server.isReady()).toBe(false)
    const startedAt = performance.now()
    expect(await server.send('PING')).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(50)
    await redis.start()
    await becomesReady(server)
    expect(server.run()).not.toBe(run)
    expect(server.events.filter((event) => event === 'ready')).toHaveLength(2)
    expect(await server.send('GET', 'resent')).toBeNull()
  })

  it('frozen: an answer is waited for half a second, then nothing is, and thawed it is used again', async () => {
    const server = await openClient()
    redis.freeze()
    const startedAt = performance.now()
    expect(await server.send('INCR', 'frozen')).toBeUndefined()
    expect(performance.now() - startedAt).toBeGreaterThan(350)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(server.events.at(-1)).toBeInstanceOf(RedisTimeout)
    await sleep(1_500)
    expect(server.isReady()).toBe(false)
    redis.thaw()
    await becomesReady(server)
    // It may have been done after all, but never twice.
    expect(['1', null]).toContain(await server.send('GET', 'frozen'))
  })

  it('is not given up while it answers one command after another', async () => {
    const server = await openClient()
    const replies = await Promise.all(Array.from({ length: 3 }, () => server.send('BLPOP', 'empty', '0.22')))
    expect(replies).toEqual([null, null, null])
    expect(server.events).toEqual(['ready'])
  })

  it('is not blamed when it is this process that was held up', async () => {
    const server = await openClient()
    const reply = server.send('PING')
    await new Promise(setImmediate)
    const until = performance.now() + 900
    while (performance.now() < until);
    expect(await reply).toBe('PONG')
    expect(server.events).toEqual(['ready'])
  })
})

describe('a server that is none', () => {
  let impostor: Server | undefined
  let sockets: Socket[] = []
  const listen = async (behave: (socket: Socket, turn: number) => void): Promise<number> => {
    const listening = createServer((socket) => {
      socket.on('error', () => 'we hang up')
      behave(socket, sockets.push(socket))
    }).listen(0, '127.0.0.1')
    impostor = listening
    await once(listening, 'listening')
    const address = listening.address()
    return typeof address === 'object' ? (address?.port ?? 0) : 0
  }
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    sockets = []
    impostor?.close()
  })

  it.each([
    ['talks something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', Error],
    ['answers what nobody asked', '+OK\r\n'.repeat(100), Error],
  ])('%s: it is given up, and tried again', async (_, words, kind) => {
    const port = await listen((socket) => socket.on('data', () => socket.write(words)))
    const server = await openClient({ port })
    expect(server.isReady()).toBe(false)
    expect(server.events[0]).toBeInstanceOf(kind)
    await expect.poll(() => sockets.length).toBeGreaterThan(2)
  })

  it('accepts and is silent: it is given up after a second', async () => {
    const port = await listen((socket) => socket.resume())
    const startedAt = performance.now()
    const server = await openClient({ port })
    expect(server.isReady()).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(server.events).toEqual([expect.any(RedisTimeout)])
  })

  it('is not there: the pauses between attempts grow to half a second', async () => {
    const port = await listen((socket) => socket.destroy())
    await openClient({ port })
    await sleep(2_000)
    expect(sockets.length).toBeGreaterThanOrEqual(4)
    expect(sockets.length).toBeLessThanOrEqual(10)
  })
})
