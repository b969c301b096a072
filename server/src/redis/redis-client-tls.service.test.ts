import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PrivateRedis, startPrivateRedis } from '../../test/support/private-redis.ts'
import { createLog } from '../log.ts'
import { lastingRefusalOf } from './redis-availability.ts'
import { openRedis, type RedisClient } from './redis-client.ts'

const clients: RedisClient[] = []
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()))
})

async function open(url: string): Promise<RedisClient> {
  const client = await openRedis(url, createLog('silent'))
  clients.push(client)
  return client
}

describe('the Redis client, by TLS', () => {
  let server: PrivateRedis
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
  const closing: (() => void)[] = []
  beforeAll(async () => {
    server = await startPrivateRedis()
  })
  afterAll(async () => {
    for (const close of closing) close()
    setDefaultCACertificates(trusted)
    rmSync(folder, { recursive: true })
    await server.remove()
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

  it.skipIf(!hasOpenssl)('works with a certificate that is trusted, and never with another', async () => {
    const url = await listenTls()
    const distrustful = await open(url)
    expect(distrustful.isAway()).toBe(true)
    expect(lastingRefusalOf(distrustful.failure())).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')

    const informed = await open(`${url}?sslrootcert=${certFile}`)
    expect(informed.isAway()).toBe(false)

    setDefaultCACertificates([...trusted, readFileSync(certFile, 'utf8')])
    const trustful = await open(url)
    expect(trustful.isAway()).toBe(false)
    const replies = await Promise.all(Array.from({ length: 2_000 }, (_, i) => trustful.send('ECHO', `${i}`)))
    expect(replies).toEqual(Array.from({ length: 2_000 }, (_, i) => `${i}`))
  })

  it.skipIf(!hasOpenssl)('shows its own certificate where one is wanted', async () => {
    const url = await listenTls({ requestCert: true, rejectUnauthorized: true, ca: readFileSync(certFile) })
    const nameless = await open(`${url}?sslrootcert=${certFile}`)
    expect(nameless.isAway()).toBe(true)
    const known = await open(`${url}?sslrootcert=${certFile}&sslcert=${certFile}&sslkey=${keyFile}`)
    expect(known.isAway()).toBe(false)
    expect(await known.send('GET', 'nothing')).toBeNull()
  })
})
