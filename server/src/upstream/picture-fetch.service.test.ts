// Every way in which a picture's address, or the content there, can be hostile. The server is real, on loopback; in
// tests about the content rather than the address, loopback is trusted.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_ADDRESSES, PRIVATE_ADDRESSES } from './hostile-addresses.test-table.ts'
import { createPictureFetch } from './picture-fetch.ts'
import type { UntrustedFetchOptions } from './untrusted-fetch.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const LIMITS = { maxBytes: 10_000, grow: () => undefined }

type Play = (response: ServerResponse, url: string) => void

const sendPng: Play = (response) => response.writeHead(200, { 'content-type': 'image/png' }).end(PNG)

const redirect =
  (location: string): Play =>
  (response) =>
    response.writeHead(302, { location }).end()

const PLAYS: Record<string, Play> = {
  '/good.png': sendPng,
  '/svg': (response) =>
    response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  '/page.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
  '/claims-much': (response) => response.writeHead(200, { 'content-length': '50000000' }).end(PNG),
  '/endless': (response) => {
    response.writeHead(200).write(PNG)
    const drip = setInterval(() => response.write(Buffer.alloc(5_000)), 1)
    response.once('close', () => clearInterval(drip))
  },
  '/slow': (response) => void response.writeHead(200).write(PNG),
  '/gone': (response) => response.writeHead(404).end(PNG),
  '/once': redirect('/good.png'),
  '/loop': redirect('/loop'),
  '/to-metadata': redirect('http://169.254.169.254/latest'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-credentials': redirect('http://user:secret@127.0.0.1/good.png'),
  '/nowhere': (response) => response.writeHead(302).end(),
}

let server: Server
let origin: string
const asked: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = request.url ?? ''
    asked.push(url)
    const play = PLAYS[url.split('?')[0] ?? '']
    if (play) play(response, url)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // A listening TCP server has a port.
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

async function fetching(address: string, options: Partial<UntrustedFetchOptions> = {}) {
  const pictures = createPictureFetch({ viaProxy: undefined, outgoingProxy: undefined, timeoutMs: 700, ...options })
  try {
    return await pictures.fetch(address, LIMITS)
  } catch (error) {
    return error instanceof UpstreamError ? error.kind : error
  } finally {
    await pictures.close()
  }
}

const trusted = { isTrustedAddress: true }

describe('the content at the address', () => {
  it('a picture is fetched, and its type is that of its bytes', async () => {
    expect(await fetching(`${origin}/good.png`, trusted)).toEqual({ type: 'image/png', bytes: PNG })
  })

  it('a redirect is followed', async () => {
    expect(await fetching(`${origin}/once`, trusted)).toEqual({ type: 'image/png', bytes: PNG })
  })

  it.each([
    ['an SVG', '/svg'],
    ['a page that calls itself a PNG', '/page.png'],
    ['a picture that announces more than is allowed', '/claims-much'],
    ['a picture without end', '/endless'],
    ['an error with a picture for a body', '/gone'],
    ['a redirect in a circle', '/loop'],
    ['a redirect to nowhere', '/nowhere'],
  ])('%s is refused', async (_what, path) => {
    expect(await fetching(origin + path, trusted)).toBe('malformed')
  })

  it('a picture that never ends times out', async () => {
    expect(await fetching(`${origin}/slow`, trusted)).toBe('timeout')
  })

  it.each(['/to-file', '/to-credentials'])('%s: a redirect to an invalid address is refused', async (path) => {
    expect(await fetching(origin + path, trusted)).toBe('guarded')
  })
})

describe('a host that hangs', () => {
  it('does not keep pictures of other hosts from being fetched, however many are requested from it', async () => {
    const pictures = createPictureFetch({
      viaProxy: undefined,
      outgoingProxy: undefined,
      timeoutMs: 20_000,
      isTrustedAddress: true,
    })
    const slow = Array.from({ length: 64 }, (_, n) => pictures.fetch(`${origin}/slow?${n}`, LIMITS).catch(() => 'late'))
    const other = origin.replace('127.0.0.1', 'localhost')
    const began = performance.now()
    expect(await pictures.fetch(`${other}/good.png`, LIMITS)).toEqual({ type: 'image/png', bytes: PNG })
    expect(performance.now() - began).toBeLessThan(15_000)
    await pictures.close()
    await Promise.all(slow)
  })
})

describe('the address', () => {
  it.each(PRIVATE_ADDRESSES)('%s is never connected to', async (address) => {
    expect(await fetching(address)).toBe('guarded')
  })

  it('a name that leads to a private address is as unreachable as one that does not exist', async () => {
    const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])
    expect(await fetching('http://intranet.example/x.png', { lookup })).toBe('unreachable')
    expect(await fetching('http://nowhere.invalid/x.png')).toBe('unreachable')
  })

  it.each(NO_ADDRESSES)('%s is not an address', async (address) => {
    expect(await fetching(address)).toBe('guarded')
  })

  it('a port unusual for websites is refused', async () => {
    expect(await fetching('http://example.org:6379/x.png')).toBe('guarded')
  })

  it('a host name that resolves to loopback is refused', async () => {
    const lookup: LookupFunction = (_host, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
    const before = asked.length
    expect(await fetching('http://innocent.example/good.png', { lookup })).toBe('unreachable')
    expect(asked.length).toBe(before)
  })

  it('a name that resolves to a public address first and a private one later is refused', async () => {
    let looks = 0
    const lookup: LookupFunction = (_host, options, done) => {
      looks += 1
      const address = looks === 1 ? '203.0.113.9' : '127.0.0.1'
      if (options.all) done(null, [{ address, family: 4 }])
      else done(null, address, 4)
    }
    const before = asked.length
    // The public address is reserved for documentation and unreachable; a second lookup must never be used.
    const outcomes = [
      await fetching('http://changing.example/good.png', { lookup }),
      await fetching('http://changing.example/good.png', { lookup }),
    ]
    expect(outcomes.every((outcome) => typeof outcome === 'string')).toBe(true)
    expect(outcomes[1]).toBe('unreachable')
    expect(asked.length).toBe(before)
  })

  it('with the operator’s proxy, only the proxy is called', async () => {
    const outcome = await fetching('https://thumbs.example/a%20b.png', { viaProxy: `${origin}/good.png` })
    expect(outcome).toMatchObject({ type: 'image/png' })
    expect(asked.at(-1)).toBe('/good.png?url=https%3A%2F%2Fthumbs.example%2Fa%2520b.png')
  })

  it('a redirect by the proxy is not followed', async () => {
    const before = asked.length
    expect(await fetching('https://thumbs.example/a.png', { viaProxy: `${origin}/once` })).toBe('malformed')
    expect(asked.length).toBe(before + 1)
  })
})
