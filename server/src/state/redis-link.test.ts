import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import { openRedis, type RedisLink } from './redis-link.ts'
import { bulks, command, defineScript } from './resp-command.ts'

const log = createLog('silent')
const COUNT = defineScript(`return redis.call('INCR', KEYS[1])`, { keys: 1, values: 0 })

let server: PrivateRedis
let link: RedisLink | undefined
beforeAll(async () => {
  server = await startPrivateRedis()
})
afterEach(async () => {
  await link?.close()
})
afterAll(() => server.remove())

async function open(url: string): Promise<RedisLink> {
  link = await openRedis(url, log)
  return link
}

/** The names that connections have given themselves, and their ids. */
async function wiresAt({ client }: RedisLink): Promise<string[]> {
  const lines = String(await client.client('LIST')).split('\n')
  return lines.filter((line) => line.includes(' name=bowerbird ')).map((line) => /id=(\d+)/.exec(line)?.[1] ?? '')
}

describe('the link to Redis', () => {
  it('its two ways lead to one database', async () => {
    const { client, send, evaluate, attempt } = await open(`${server.url}/5`)
    await client.set('a', '1')
    expect(await send(command('GET', 'a'))).toBe('1')
    expect(await evaluate(COUNT, bulks('a'))).toBe(2)
    expect(await attempt(() => client.get('a'))).toBe('2')
  })

  it('is away while the wire is broken, which the other way does not notice, and says when it is back', async () => {
    const link = await open(server.url)
    let timesReady = 0
    link.onReady(() => {
      timesReady++
      expect(link.isAway()).toBe(true)
    })
    const run = link.run()
    const [id = ''] = await wiresAt(link)
    await link.client.client('KILL', 'ID', id)
    await expect.poll(link.isAway, { interval: 1 }).toBe(true)
    expect(await link.evaluate(COUNT, bulks('b'))).toBeUndefined()
    expect(await link.attempt((client) => client.ping())).toBe('PONG')
    await expect.poll(link.isAway).toBe(false)
    expect(timesReady).toBe(1)
    expect(link.run()).toBe(run)
    expect(await link.evaluate(COUNT, bulks('b'))).toBe(1)
  })

  it('what times out on the wire suspends both ways, so that nothing else waits', async () => {
    const { send, attempt, isAway } = await open(server.url)
    server.freeze()
    expect(await send(command('PING'))).toBeUndefined()
    const startedAt = performance.now()
    expect(isAway()).toBe(true)
    expect(await send(command('PING'))).toBeUndefined()
    expect(await attempt((client) => client.ping())).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(50)
    server.thaw()
    await expect.poll(isAway, { timeout: 5_000 }).toBe(false)
    expect(await send(command('PING'))).toBe('PONG')
  })

  it('closing loses nothing that was given to either way', async () => {
    const link = await open(server.url)
    const given = [link.evaluate(COUNT, bulks('c')), link.attempt((client) => client.incr('d'))]
    await link.close()
    expect(await Promise.all(given)).toEqual([1, 1])
  })

  it('opens without a server, and finds it later', async () => {
    await server.stop()
    const { isAway, send } = await open(server.url)
    expect(isAway()).toBe(true)
    expect(await send(command('PING'))).toBeUndefined()
    await server.start()
    await expect.poll(isAway, { timeout: 5_000 }).toBe(false)
  })
})

describe('the link by TLS', () => {
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

  it.skipIf(!hasOpenssl)('works with a certificate that is trusted, and never with another', async () => {
    const cert = readFileSync(certFile, 'utf8')
    const terminator = createServer({ key: readFileSync(keyFile), cert }, (socket) => {
      const onward = connect(Number(new URL(server.url).port), '127.0.0.1')
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
      socket.pipe(onward).pipe(socket)
    }).listen(0, 'localhost')
    await once(terminator, 'listening')
    const address = terminator.address()
    const url = `rediss://localhost:${typeof address === 'object' ? address?.port : 0}`

    const distrustful = await open(url)
    expect(distrustful.isAway()).toBe(true)
    await distrustful.close()

    setDefaultCACertificates([...trusted, cert])
    const trustful = await open(url)
    expect(trustful.isAway()).toBe(false)
    const replies = await Promise.all(Array.from({ length: 2_000 }, (_, i) => trustful.send(command('ECHO', `${i}`))))
    expect(replies).toEqual(Array.from({ length: 2_000 }, (_, i) => `${i}`))
    terminator.close()
  })
})
