// Every way in which a page's address, or the content there, can be hostile. The server is real, on loopback; in tests
// about the content rather than the address, loopback is trusted.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { gzipSync } from 'node:zlib'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_ADDRESSES, PRIVATE_ADDRESSES } from './hostile-addresses.test-table.ts'
import { createPageFetch, type PageFetchOptions, type PageTerms } from './page-fetch.ts'
import { FetchRefusal } from './untrusted-fetch.ts'

const PAGE = '<p>Low tide is at noon.</p>'
const HTML = { 'content-type': 'text/html' }

const redirect = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()

const PLAYS: Record<string, (response: ServerResponse) => void> = {
  '/page': (response) => response.writeHead(200, HTML).end(PAGE),
  '/packed': (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync(PAGE)),
  '/bomb': (response) =>
    response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(30_000_000))),
  '/broken': (response) => response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).end('not gzip'),
  '/claims-much': (response) => response.writeHead(200, { ...HTML, 'content-length': '50000000' }).write('x'),
  '/endless': (response) => {
    response.writeHead(200, HTML)
    const pour = setInterval(() => response.write(Buffer.alloc(200_000)), 1)
    response.once('close', () => clearInterval(pour))
  },
  '/drip': (response) => {
    response.writeHead(200, HTML)
    const drip = setInterval(() => response.write('x'), 100)
    response.once('close', () => clearInterval(drip))
  },
  '/silent': () => undefined,
  '/held': (response) => {
    held.add(response)
    mostHeld = Math.max(mostHeld, held.size)
    setTimeout(() => {
      held.delete(response)
      response.writeHead(200, HTML).end(PAGE)
    }, 50)
  },
  '/gone': (response) => response.writeHead(410, HTML).end(PAGE),
  '/film': (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('x'),
  '/large.pdf': (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.alloc(3_000_000)),
  '/once': redirect('/page'),
  '/loop': redirect('/loop'),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/to-metadata': redirect('http://169.254.169.254/latest'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-credentials': redirect('http://user:secret@127.0.0.1/page'),
  '/to-ourselves': redirect('http://search.example/api/v1/key/'),
}

/** Requests for `/held` that the server has not answered yet. */
const held = new Set<ServerResponse>()
let mostHeld = 0
let server: Server
let origin: string
const asked: IncomingMessage[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request)
    const play = PLAYS[(request.url ?? '').split('?')[0] ?? '']
    if (play) play(response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // A listening TCP server has a port.
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const OPTIONS = {
  viaProxy: undefined,
  outgoingProxy: undefined,
  userAgent: () => 'Bowerbird/1 (+https://search.example)',
  ownHost: 'search.example',
}
const trusted = { isTrustedAddress: true }

async function fetching(address: string, options: Partial<PageFetchOptions> = {}, terms: PageTerms = {}) {
  const pages = createPageFetch({ ...OPTIONS, ...options })
  try {
    const { bytes, ...facts } = await pages.fetch(address, terms)
    return { ...facts, text: bytes.toString() }
  } catch (error) {
    if (error instanceof FetchRefusal) return error.reason
    return error instanceof UpstreamError ? error.kind : error
  } finally {
    await pages.close()
  }
}

describe('the content at the address', () => {
  it.each(['/page', '/packed', '/once'])('%s: a page is fetched', async (path) => {
    expect(await fetching(origin + path, trusted)).toEqual({
      contentType: 'text/html',
      address: origin + (path === '/once' ? '/page' : path),
      text: PAGE,
      etag: '',
      lastModified: '',
    })
  })

  it('sends our user agent, and nothing about any user', async () => {
    await fetching(`${origin}/page?honest`, trusted)
    const headers = asked.find(({ url }) => url === '/page?honest')?.headers ?? {}
    expect(headers['user-agent']).toBe('Bowerbird/1 (+https://search.example)')
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  })

  it.each([
    ['a bomb', '/bomb', 'too_large'],
    ['a page that declares more than is allowed', '/claims-much', 'too_large'],
    ['an endless page', '/endless', 'too_large'],
    ['a page that drips', '/drip', 'too_slow'],
    ['a page not compressed as declared', '/broken', 'not_text'],
    ['a film', '/film', 'not_text'],
    ['an error with an HTML body', '/gone', 'status'],
    ['a redirect in a circle', '/loop', 'redirects'],
    ['a redirect to nowhere', '/nowhere', 'redirects'],
    ['a redirect to a file', '/to-file', 'blocked'],
    ['a redirect to credentials', '/to-credentials', 'blocked'],
    ['a redirect to this instance', '/to-ourselves', 'blocked'],
  ])('%s is refused', async (_what, path, reason) => {
    expect(await fetching(origin + path, trusted)).toBe(reason)
  })

  it('a PDF may be larger than a page', async () => {
    expect(await fetching(`${origin}/large.pdf`, trusted)).toMatchObject({ contentType: 'application/pdf' })
  })

  it('a server that never replies times out', async () => {
    expect(await fetching(`${origin}/silent`, { ...trusted, timeoutMs: 300 })).toBe('timeout')
  })

  it('every redirect is checked', async () => {
    const seen: string[] = []
    const beforeRequest = async ({ pathname }: URL) => {
      seen.push(pathname)
      if (pathname === '/page') throw new FetchRefusal('robots')
    }
    expect(await fetching(`${origin}/once`, trusted, { beforeRequest })).toBe('robots')
    expect(seen).toEqual(['/once', '/page'])
  })

  it('time before a request counts', async () => {
    const beforeRequest = () => new Promise<void>(() => undefined)
    expect(await fetching(`${origin}/page`, { ...trusted, timeoutMs: 300 }, { beforeRequest })).toBe('timeout')
  })

  it('a host gets at most two concurrent page requests', async () => {
    const pages = createPageFetch({ ...OPTIONS, ...trusted })
    await Promise.all(Array.from({ length: 6 }, () => pages.fetch(`${origin}/held`)))
    expect(mostHeld).toBe(2)
    await pages.close()
  })
})

describe('the address', () => {
  it.each(PRIVATE_ADDRESSES)('%s is never connected to', async (address) => {
    expect(await fetching(address)).toBe('blocked')
  })

  it('a name that leads to a private address is as unreachable as one that does not exist', async () => {
    const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: '10.0.0.1', family: 4 }])
    expect(await fetching('http://intranet.example/x.png', { lookup })).toBe('unreachable')
    expect(await fetching('http://nowhere.invalid/x.png')).toBe('unreachable')
  })

  it.each(NO_ADDRESSES)('%s is not an address', async (address) => {
    expect(await fetching(address)).toBe('blocked')
  })

  it.each([
    'http://example.org:6379/',
    'https://example.org:22/',
    'http://search.example/',
    'https://search.example/x',
    'https://search.example./x',
    'https://search.example:8443/x',
  ])('%s: no unusual port, and not ourselves', async (address) => {
    expect(await fetching(address)).toBe('blocked')
  })

  it('a host name that resolves to loopback is refused', async () => {
    const lookup: LookupFunction = (_host, options, done) =>
      options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)
    const before = asked.length
    expect(await fetching('http://innocent.example/page', { lookup })).toBe('unreachable')
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
    const first = await fetching('http://changing.example/page', { lookup, timeoutMs: 500 })
    expect(typeof first).toBe('string')
    expect(await fetching('http://changing.example/page', { lookup })).toBe('unreachable')
    expect(asked.length).toBe(before)
  })

  it('with the operator’s proxy, only the proxy is called', async () => {
    const outcome = await fetching('https://pages.example/a?b=c', { viaProxy: `${origin}/page` })
    expect(outcome).toMatchObject({ text: PAGE, address: 'https://pages.example/a?b=c' })
    expect(asked.at(-1)?.url).toBe('/page?url=https%3A%2F%2Fpages.example%2Fa%3Fb%3Dc')
  })

  it.each(PRIVATE_ADDRESSES)('the operator’s proxy does not get %s', async (address) => {
    const before = asked.length
    expect(await fetching(address, { viaProxy: `${origin}/page` })).toBe('blocked')
    expect(asked.length).toBe(before)
  })

  it('a redirect by the proxy is not followed', async () => {
    expect(await fetching('https://pages.example/', { viaProxy: `${origin}/once` })).toBe('malformed')
  })
})
