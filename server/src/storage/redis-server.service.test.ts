import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { openRedisWire, type RedisWire } from '../state/redis-wire.ts'
import { bulks, command, defineScript } from '../state/resp-command.ts'
import { ProtocolError, ReplyError } from '../state/resp-reader.ts'
import { type WireAddress, WireTimeout } from '../state/wire-connection.ts'

let server: PrivateRedis
let admin: Redis
let opened: RedisWire[] = []
beforeAll(async () => {
  server = await startPrivateRedis()
  admin = new Redis(server.url)
  admin.on('error', () => 'it is killed on purpose')
})
afterEach(async () => {
  await Promise.all(opened.map((wire) => wire.close()))
  opened = []
})
afterAll(async () => {
  admin.disconnect()
  await server.remove()
})

async function openWire(own: Partial<WireAddress> = {}) {
  const events: (Error | 'ready')[] = []
  const port = Number(new URL(server.url).port)
  const plain = { host: '127.0.0.1', port, isTls: false, username: undefined, password: undefined, db: 0 }
  const wire = await openRedisWire({
    address: { ...plain, ...own },
    onReady: () => events.push('ready'),
    onFailure: (error) => events.push(error),
  })
  opened.push(wire)
  return { ...wire, events }
}

const becomesReady = (wire: RedisWire) => expect.poll(wire.isReady, { timeout: 5_000 }).toBe(true)
const idOf = (wire: RedisWire) => wire.send(command('CLIENT', 'ID'))

const INCREASE = defineScript(`return {redis.call('INCR', KEYS[1]), tonumber(ARGV[1])}`, { keys: 1, values: 1 })

describe('the wire', () => {
  it('10,000 commands at once get each its own reply', async () => {
    const wire = await openWire()
    const replies = await Promise.all(
      Array.from({ length: 10_000 }, (_, i) => wire.send(i % 3 ? command('ECHO', `${i}`) : command('INCR', 'many'))),
    )
    const expected = Array.from({ length: 10_000 }, (_, i) => (i % 3 ? `${i}` : i / 3 + 1))
    expect(replies).toEqual(expected)
  })

  it('text of any script arrives as it was sent, and 40 MB do not choke it', async () => {
    const wire = await openWire()
    expect(await wire.send(command('ECHO', 'Käse 🧀 \r\n$3'))).toBe('Käse 🧀 \r\n$3')
    const large = 'x'.repeat(1_000_000)
    const lengths = Array.from({ length: 40 }, async () => {
      await wire.send(command('SET', 'large', large))
      return await wire.send(command('STRLEN', 'large'))
    })
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([1_000_000]))
  })

  it('a refused command gives undefined, and the connection and the others are not affected', async () => {
    const wire = await openWire()
    const id = await idOf(wire)
    const replies = await Promise.all([
      wire.send(command('ECHO', 'a')),
      wire.send(command('NOSUCH')),
      wire.send(command('GET', 'nothing')),
      wire.send(command('HGETALL', 'nothing')),
    ])
    expect(replies).toEqual(['a', undefined, null, []])
    expect(wire.events).toEqual(['ready', expect.any(ReplyError)])
    expect(await idOf(wire)).toBe(id)
  })

  it('a script that the server has forgotten is run once all the same, and every reply finds its question', async () => {
    const wire = await openWire()
    await wire.evaluate(INCREASE, bulks('forgotten', '0'))
    await admin.script('FLUSH')
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, i) =>
        i % 2 ? await wire.evaluate(INCREASE, bulks('forgotten', `${i}`)) : await wire.send(command('ECHO', `${i}`)),
      ),
    )
    const given = replies.map((reply, i) => (i % 2 ? Array.isArray(reply) && reply[1] : Number(reply)))
    expect(given).toEqual([...Array(50).keys()])
    expect(await admin.get('forgotten')).toBe('26')
    expect(wire.events).toEqual(['ready'])
  })

  it('a script is run in its place from its first call on, also by a server that does not know it', async () => {
    await admin.script('FLUSH')
    const wire = await openWire()
    const increase = defineScript(`return redis.call('INCR', KEYS[1])`, { keys: 1, values: 0 })
    const replies = [wire.evaluate(increase, bulks('placed')), wire.send(command('GET', 'placed'))]
    expect(await Promise.all(replies)).toEqual([1, '1'])
  })

  it('a script that fails gives undefined', async () => {
    const wire = await openWire()
    const failing = defineScript(`return redis.call('INCR', KEYS[1])`, { keys: 1, values: 0 })
    await admin.set('text', 'not a number')
    expect(await wire.evaluate(failing, bulks('text'))).toBeUndefined()
  })

  it('closing waits for what was given in the same moment', async () => {
    const wire = await openWire()
    const replies = Array.from({ length: 1_000 }, () => wire.send(command('INCR', 'last')))
    await Promise.all([wire.close(), wire.close()])
    expect(await admin.get('last')).toBe('1000')
    expect(await Promise.all(replies)).toEqual(Array.from({ length: 1_000 }, (_, i) => i + 1))
    expect(wire.isReady()).toBe(false)
    expect(await wire.send(command('PING'))).toBeUndefined()
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
      await openWire({ password: 'pass word', db: 3 }),
      await openWire({ username: 'bower', password: 'geheim', db: 3 }),
    ]
    for (const wire of wires) {
      expect(wire.isReady()).toBe(true)
      expect(await wire.send(command('CLIENT', 'INFO'))).toMatch(/ name=bowerbird .* db=3 /)
    }
  })

  it.each([
    ['no password', undefined],
    ['a wrong password', 'wrong'],
  ])('with %s it is never ready, says why, and is ready once the server lets it in', async (_, password) => {
    await admin.config('SET', 'requirepass', 'right')
    const wire = await openWire({ password })
    expect(wire.isReady()).toBe(false)
    expect(wire.events).toEqual([expect.any(Error)])
    expect(await wire.send(command('SET', 'intruder', '1'))).toBeUndefined()
    expect(await admin.exists('intruder')).toBe(0)
    await admin.config('SET', 'requirepass', password ?? '')
    await becomesReady(wire)
  })

  it('names the run of the server, or each connection where that is a secret', async () => {
    const wire = await openWire()
    expect((await admin.info('server')).includes(`run_id:${wire.run()}`)).toBe(true)
    await admin.call('ACL', 'SETUSER', 'narrow', 'on', '>geheim', '~*', '+@all', '-info', '-client|setname')
    const narrow = [1, 2].map(() => openWire({ username: 'narrow', password: 'geheim' }))
    const [one, other] = await Promise.all(narrow)
    expect(one?.run()).toMatch(/^[0-9a-f]{12}$/)
    expect(one?.run()).not.toBe(other?.run())
    expect(one?.events).toEqual(['ready'])
  })
})

describe('a server that goes away', () => {
  it('killed: what waits gives undefined and is not sent again; started: it is another run', async () => {
    const wire = await openWire()
    const run = wire.run()
    const waiting = ['BLPOP empty 0', 'INCR resent', 'INCR resent'].map((line) =>
      wire.send(command(...line.split(' '))),
    )
    await expect.poll(async () => (await admin.info('clients')).includes('blocked_clients:1')).toBe(true)
    await server.stop()
    expect(await Promise.all(waiting)).toEqual([undefined, undefined, undefined])
    expect(wire.isReady()).toBe(false)
    const startedAt = performance.now()
    expect(await wire.send(command('PING'))).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(50)
    await server.start()
    await becomesReady(wire)
    expect(wire.run()).not.toBe(run)
    expect(wire.events.filter((event) => event === 'ready')).toHaveLength(2)
    expect(await wire.send(command('GET', 'resent'))).toBeNull()
  })

  it('frozen: an answer is waited for half a second, then nothing is, and thawed it is used again', async () => {
    const wire = await openWire()
    server.freeze()
    const startedAt = performance.now()
    expect(await wire.send(command('INCR', 'frozen'))).toBeUndefined()
    expect(performance.now() - startedAt).toBeGreaterThan(350)
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(wire.events.at(-1)).toBeInstanceOf(WireTimeout)
    await sleep(1_500)
    expect(wire.isReady()).toBe(false)
    server.thaw()
    await becomesReady(wire)
    // It may have been done after all, but never twice.
    expect(['1', null]).toContain(await wire.send(command('GET', 'frozen')))
  })

  it('is not blamed when it is this process that was held up', async () => {
    const wire = await openWire()
    const reply = wire.send(command('PING'))
    await new Promise(setImmediate)
    const until = performance.now() + 900
    while (performance.now() < until);
    expect(await reply).toBe('PONG')
    expect(wire.events).toEqual(['ready'])
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
    ['talks something else', 'HTTP/1.1 400 Bad Request\r\n\r\n', ProtocolError],
    ['answers what nobody asked', '+OK\r\n'.repeat(100), Error],
  ])('%s: it is given up, and tried again', async (_, words, kind) => {
    const port = await listen((socket) => socket.on('data', () => socket.write(words)))
    const wire = await openWire({ port })
    expect(wire.isReady()).toBe(false)
    expect(wire.events[0]).toBeInstanceOf(kind)
    await expect.poll(() => sockets.length).toBeGreaterThan(2)
  })

  it('accepts and is silent: it is given up after a second', async () => {
    const port = await listen((socket) => socket.resume())
    const startedAt = performance.now()
    const wire = await openWire({ port })
    expect(wire.isReady()).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(wire.events).toEqual([expect.any(WireTimeout)])
  })

  it('is not there: the pauses between attempts grow to half a second', async () => {
    const port = await listen((socket) => socket.destroy())
    await openWire({ port })
    await sleep(2_000)
    expect(sockets.length).toBeGreaterThanOrEqual(4)
    expect(sockets.length).toBeLessThanOrEqual(10)
  })
})
