import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { Command } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { useRedisAdmin } from '../../test/support/redis-admin.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisClient } from './redis-client.ts'
import { RedisCommand } from './redis-connection-options.ts'
import { lastingRefusalOf } from './redis-refusal.ts'
import { defineScript } from './redis-script.ts'

const log = createLog('silent')
const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`)

let server: PrivateRedis
const admin = useRedisAdmin(() => server.url)
let client: RedisClient | undefined
beforeAll(async () => {
  server = await startPrivateRedis()
})
afterEach(async () => {
  await client?.close()
})
afterAll(() => server.remove())

async function open(url: string): Promise<RedisClient> {
  client = await openRedis(url, log)
  return client
}

/** The connections for commands, by their ids. */
async function connections(): Promise<string[]> {
  const lines = String(await admin().client('LIST')).split('\n')
  return lines.filter((line) => line.includes(' name=bowerbird ')).map((line) => /id=(\d+)/.exec(line)?.[1] ?? '')
}

describe('the client to Redis', () => {
  it('uses the database that the address names', async () => {
    const { send, evaluate } = await open(`${server.url}/5`)
    await send('SET', 'a', 1)
    expect(await evaluate(COUNT, ['a'], [])).toBe(2)
    expect(await admin().exists('a')).toBe(0)
  })

  it('is away while the connection is broken, and says when it is back', async () => {
    const client = await open(server.url)
    let timesReady = 0
    client.onReady(() => {
      timesReady++
      expect(client.isAway()).toBe(true)
    })
    const run = client.run('b')
    const [id = ''] = await connections()
    await admin().client('KILL', 'ID', id)
    await expect.poll(() => client.isAway(), { interval: 1 }).toBe(true)
    expect(await client.evaluate(COUNT, ['b'], [])).toBeUndefined()
    expect(client.state().state).toBe('away')
    await expect.poll(() => client.isAway()).toBe(false)
    expect(client.state()).toEqual({ state: 'connected' })
    expect(timesReady).toBe(1)
    expect(client.run('b')).toBe(run)
    expect(await client.evaluate(COUNT, ['b'], [])).toBe(1)
  })

  it('after a time-out nothing waits until the server answers again', async () => {
    const { send, isAway, state } = await open(server.url)
    server.freeze()
    expect(await send('GET', 'a')).toBeUndefined()
    const startedAt = performance.now()
    expect(isAway()).toBe(true)
    expect(state()).toEqual({ state: 'away', reason: 'timeout' })
    expect(await send('GET', 'a')).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(50)
    server.thaw()
    await expect.poll(() => isAway(), { timeout: 5_000 }).toBe(false)
    expect(await send('GET', 'nothing')).toBeNull()
  })

  it('closing loses nothing that was given', async () => {
    const client = await open(server.url)
    const given = [client.evaluate(COUNT, ['c'], []), client.send('INCR', 'd')]
    await client.close()
    expect(await Promise.all(given)).toEqual([1, 1])
  })

  it('hears messages, also after the connection for them broke', async () => {
    const client = await open(server.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    client.publish('bb:test', 'one')
    await expect.poll(() => heard).toEqual(['one'])
    await admin().call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await expect.poll(() => client.isSubscribed(), { interval: 1 }).toBe(false)
    await expect.poll(() => client.isSubscribed()).toBe(true)
    client.publish('bb:test', 'two')
    await expect.poll(() => heard).toEqual(['one', 'two'])
  })

  it('hears messages again after the server was frozen', async () => {
    const client = await open(server.url)
    const heard: string[] = []
    await client.subscribe('bb:test', (message) => heard.push(message))
    server.freeze()
    await expect.poll(() => client.isSubscribed(), { timeout: 10_000 }).toBe(false)
    server.thaw()
    await expect.poll(() => client.isSubscribed(), { timeout: 10_000 }).toBe(true)
    await expect.poll(() => client.isAway(), { timeout: 10_000 }).toBe(false)
    client.publish('bb:test', 'after')
    await expect.poll(() => heard).toEqual(['after'])
  })

  it('opens without a server, and finds it later', async () => {
    await server.stop()
    const { isAway, send } = await open(server.url)
    expect(isAway()).toBe(true)
    expect(await send('GET', 'a')).toBeUndefined()
    await server.start()
    await expect.poll(() => isAway(), { timeout: 5_000 }).toBe(false)
  })
})

describe('the client by TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bb-tls-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const trusted = getCACertificates('default')
  const request = ['-x509', '-nodes', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const makeKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile, '-out', certFile]
  const hasOpenssl = (() => {
    try {
      execFileSync('openssl', ['req', ...request, ...makeKey], { stdio: 'ignore' })
      return true
    } catch {
      return false
    }
  })()
  afterAll(() => {
    setDefaultCACertificates(trusted)
    rmSync(folder, { recursive: true })
  })

  /** In front of the server, with that certificate. */
  async function listenTls(own: TlsOptions = {}): Promise<string> {
    const options = { key: readFileSync(keyFile), cert: readFileSync(certFile), ...own }
    const terminator = createServer(options, (socket) => {
      const onward = connect(server.port, '127.0.0.1')
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
    }).listen(0, 'localhost')
    await once(terminator, 'listening')
    closing.push(() => terminator.close())
    const address = terminator.address()
    return `rediss://localhost:${typeof address === 'object' ? address?.port : 0}`
  }
  const closing: (() => void)[] = []
  afterAll(() => {
    for (const close of closing) close()
  })

  it.skipIf(!hasOpenssl)('works with a certificate that is trusted, and never with another', async () => {
    const url = await listenTls()
    const distrustful = await open(url)
    expect(distrustful.isAway()).toBe(true)
    expect(lastingRefusalOf(distrustful.failure())).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    await distrustful.close()

    const informed = await open(`${url}?sslrootcert=${certFile}`)
    expect(informed.isAway()).toBe(false)
    await informed.close()

    setDefaultCACertificates([...trusted, readFileSync(certFile, 'utf8')])
    const trustful = await open(url)
    expect(trustful.isAway()).toBe(false)
    const replies = await Promise.all(Array.from({ length: 2_000 }, (_, i) => trustful.send('ECHO', `${i}`)))
    expect(replies).toEqual(Array.from({ length: 2_000 }, (_, i) => `${i}`))
  })

  it.skipIf(!hasOpenssl)('shows a certificate of its own where one is wanted', async () => {
    const url = await listenTls({ requestCert: true, rejectUnauthorized: true, ca: readFileSync(certFile) })
    const nameless = await open(`${url}?sslrootcert=${certFile}`)
    expect(nameless.isAway()).toBe(true)
    await nameless.close()
    const known = await open(`${url}?sslrootcert=${certFile}&sslcert=${certFile}&sslkey=${keyFile}`)
    expect(known.isAway()).toBe(false)
    expect(await known.send('GET', 'nothing')).toBeNull()
  })
})

describe('a command to Redis', () => {
  it('is written exactly as ioredis would write it', () => {
    const values = ['', 'plain', 'naïve ☃ 𝄞', 'line\r\nbreak', 0, -1, 2.5, 1_763_248_000_123_456]
    const command = new RedisCommand('EVALSHA', values)
    expect(command.toWritable()).toBe(new Command('EVALSHA', [...values]).toWritable({}))
    expect(command.args).toEqual([])
  })
})
