// Every way in which the address of a page or a picture, or the content there, can be hostile. The server is real, on
// loopback; in tests about the content rather than the address, loopback is trusted.
import type { ServerResponse } from 'node:http'
import type { LookupFunction } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PROXY_ADDRESS, startConnectProxy } from '../../test/support/connect-proxy.ts'
import { NO_ADDRESSES, PRIVATE_ADDRESSES } from './hostile-addresses.test-table.ts'
import { setUpLocalServers } from './local-servers.test-harness.ts'
import { parseOutgoingProxy } from './outgoing-proxy.ts'
import { createPageFetch, type PageFetchOptions, type PageTerms } from './page-fetch.ts'
import { createPictureFetch } from './picture-fetch.ts'
import { FetchRefusal } from './untrusted-fetch.ts'

const PAGE = '<p>Low tide is at noon.</p>'
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const HTML = { 'content-type': 'text/html' }
const PACKED = { ...HTML, 'content-encoding': 'gzip' }

const redirect = (location: string) => (response: ServerResponse) => response.writeHead(302, { location }).end()
/** Sends as fast as the client reads, without end. */
const pour = (response: ServerResponse) => {
  while (response.write(Buffer.alloc(65_536)));
  response.once('drain', () => pour(response))
}

const PLAYS: Record<string, (response: ServerResponse, query: string) => unknown> = {
  '/bytes': (response, query) => response.end(Buffer.from(query, 'hex')),
  '/page': (response) => response.writeHead(200, HTML).end(PAGE),
  '/picture': (response) => response.writeHead(200, HTML).end(PNG),
  '/packed': (response) => response.writeHead(200, PACKED).end(gzipSync(PAGE)),
  '/bomb': (response) => response.writeHead(200, PACKED).end(gzipSync(Buffer.alloc(3_000_000))),
  '/broken': (response) => response.writeHead(200, PACKED).end('not gzip'),
  '/claims-much': (response) => response.writeHead(200, { ...HTML, 'content-length': '50000000' }).write(PNG),
  '/endless': (response) => pour(response.writeHead(200, HTML)),
  '/begins': (response) => response.writeHead(200, HTML).write('x'),
  '/silent': () => undefined,
  '/gone': (response) => response.writeHead(410, HTML).end(PNG),
  '/film': (response) => response.writeHead(200, { 'content-type': 'video/mp4' }).end('x'),
  '/svg': (response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end('<svg/>'),
  '/script.png': (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>'),
  '/large.pdf': (response) =>
    response.writeHead(200, { 'content-type': 'application/pdf' }).end(Buffer.alloc(3_000_000)),
  '/to-page': redirect('/page'),
  '/to-picture': redirect('/picture'),
  '/loop': redirect('/loop'),
  '/nowhere': (response) => response.writeHead(302).end(),
  '/to-metadata': redirect('http://169.254.169.254/latest'),
  '/to-file': redirect('file:///etc/passwd'),
  '/to-credentials': redirect('http://user:secret@127.0.0.1/page'),
  '/to-ourselves': redirect('http://search.example/api/v1/key/'),
  '/held': (response) => held.push(response),
}

const { closeLater, serveHttp } = setUpLocalServers()
/** Requests for `/held`, which tests answer. */
const held: ServerResponse[] = []
let asked: { url: string | undefined; headers: object; from: string | undefined }[]
let origin: string

beforeEach(async () => {
  asked = []
  origin = await serveHttp(({ url = '', headers, socket }, response) => {
    asked.push({ url, headers, from: socket.remoteAddress })
    const [path = '', query = ''] = url.split('?')
    PLAYS[path]?.(response, query)
  })
})
afterEach(() => vi.useRealTimers())

const OPTIONS: PageFetchOptions = {
  viaProxy: undefined,
  outgoingProxy: undefined,
  userAgent: () => 'Bowerbird/1 (+https://search.example)',
  ownHost: 'search.example',
}
const trusted = { isTrustedAddress: true }
const patient = { ...trusted, timeoutMs: 60_000 }

const getReason = (error: unknown) => {
  if (error instanceof FetchRefusal) return error.reason
  return error instanceof UpstreamError ? error.kind : error
}

async function fetchPage(address: string, options: Partial<PageFetchOptions> = {}, terms: PageTerms = {}) {
  const pages = createPageFetch({ ...OPTIONS, ...options })
  closeLater(pages)
  return await pages.fetch(address, terms).catch(getReason)
}

async function fetchPicture(address: string, options: Partial<PageFetchOptions> = {}) {
  const pictures = createPictureFetch({ viaProxy: undefined, outgoingProxy: undefined, ...options })
  closeLater(pictures)
  return await pictures.fetch(address, { maxBytes: 100_000, grow: () => undefined }).catch(getReason)
}

async function startProxy(refusal?: number) {
  const proxy = await startConnectProxy({ leadsTo: () => Number(new URL(origin).port), ...(refusal && { refusal }) })
  closeLater(proxy)
  const lookup: LookupFunction = (hostname) => expect.unreachable(`${hostname} is resolved here`)
  return { proxy, options: { outgoingProxy: parseOutgoingProxy(proxy.url), lookup } }
}

describe('the content of a page', () => {
  it.each([
    ['/page', '/page'],
    ['/packed', '/packed'],
    ['/to-page', '/page'],
  ])('%s is fetched, redirected and unpacked if need be', async (path, address) => {
    expect(await fetchPage(origin + path, trusted)).toEqual({
      contentType: 'text/html',
      address: origin + address,
      bytes: Buffer.from(PAGE),
      etag: '',
      lastModified: '',
    })
  })

  it('is requested as ourselves, with nothing about any user', async () => {
    await fetchPage(`${origin}/page`, trusted)
    expect(asked[0]?.headers).toEqual({
      host: new URL(origin).host,
      connection: 'keep-alive',
      accept: expect.any(String),
      'accept-encoding': expect.any(String),
      'user-agent': 'Bowerbird/1 (+https://search.example)',
    })
  })

  it.each([
    ['/bomb', 'too_large'],
    ['/claims-much', 'too_large'],
    ['/endless', 'too_large'],
    ['/broken', 'not_text'],
    ['/film', 'not_text'],
    ['/gone', 'status'],
    ['/loop', 'redirects'],
    ['/nowhere', 'redirects'],
    ['/to-file', 'blocked'],
    ['/to-credentials', 'blocked'],
    ['/to-ourselves', 'blocked'],
  ])('%s is refused: %s', async (path, reason) => {
    expect(await fetchPage(origin + path, trusted)).toBe(reason)
  })

  it('may be larger in a PDF', async () => {
    expect(await fetchPage(`${origin}/large.pdf`, trusted)).toMatchObject({ contentType: 'application/pdf' })
  })

  it('is refused if it only drips', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const page = fetchPage(`${origin}/begins`, patient)
    while (vi.getTimerCount() === 0) await nextTurn()
    vi.advanceTimersByTime(3_000)
    expect(await page).toBe('too_slow')
  })

  it('times out if it never arrives, and while a check before its request takes long', async () => {
    const beforeRequest = () => new Promise<void>(() => undefined)
    expect(await fetchPage(`${origin}/silent`, { ...trusted, timeoutMs: 50 })).toBe('timeout')
    expect(await fetchPage(`${origin}/page`, { ...trusted, timeoutMs: 50 }, { beforeRequest })).toBe('timeout')
  })

  it('is not requested before every redirect is checked', async () => {
    const seen: string[] = []
    const beforeRequest = async ({ pathname }: URL) => {
      seen.push(pathname)
      if (pathname === '/page') throw new FetchRefusal('robots')
    }
    expect(await fetchPage(`${origin}/to-page`, trusted, { beforeRequest })).toBe('robots')
    expect(seen).toEqual(['/to-page', '/page'])
    expect(asked.map(({ url }) => url)).toEqual(['/to-page'])
  })

  it('is requested of one host twice at a time', async () => {
    const pages = createPageFetch({ ...OPTIONS, ...patient })
    closeLater(pages)
    const fetched = Array.from({ length: 6 }, () => pages.fetch(`${origin}/held`))
    for (let pairs = 0; pairs < 3; pairs++) {
      while (held.length < 2) await nextTurn()
      // A third would arrive by now.
      for (let turns = 0; turns < 50; turns++) await nextTurn()
      expect(held).toHaveLength(2)
      for (const response of held.splice(0)) response.writeHead(200, HTML).end(PAGE)
    }
    expect(await Promise.all(fetched)).toHaveLength(6)
  })
})

describe('the content of a picture', () => {
  it.each([
    ['image/png', '89504e470d0a1a0a'],
    ['image/jpeg', 'ffd8ffe0'],
    ['image/gif', Buffer.from('GIF89a').toString('hex')],
    ['image/webp', Buffer.from('RIFF....WEBP').toString('hex')],
    ['image/avif', Buffer.from('....ftypavif').toString('hex')],
    ['image/x-icon', '00000100'],
  ])('is fetched, and its type is that of its bytes: %s', async (type, hex) => {
    expect(await fetchPicture(`${origin}/bytes?${hex}`, trusted)).toEqual({ type, bytes: Buffer.from(hex, 'hex') })
  })

  it('is fetched after a redirect', async () => {
    expect(await fetchPicture(`${origin}/to-picture`, trusted)).toMatchObject({ type: 'image/png' })
  })

  it.each(['/svg', '/script.png', '/claims-much', '/endless', '/gone', '/loop', '/nowhere'])(
    '%s is refused',
    async (path) => {
      expect(await fetchPicture(origin + path, trusted)).toBe('malformed')
    },
  )

  it.each(['/to-file', '/to-credentials'])('%s: a redirect to an invalid address is refused', async (path) => {
    expect(await fetchPicture(origin + path, trusted)).toBe('guarded')
  })

  it('times out if it never ends', async () => {
    expect(await fetchPicture(`${origin}/begins`, { ...trusted, timeoutMs: 50 })).toBe('timeout')
  })

  it('is fetched while another host hangs, however many pictures are requested from that one', async () => {
    const pictures = createPictureFetch({ ...OPTIONS, ...patient })
    closeLater(pictures)
    const limits = { maxBytes: 1_000, grow: () => undefined }
    for (let n = 0; n < 64; n++) pictures.fetch(`${origin}/silent?${n}`, limits).catch(() => 'closed')
    const other = origin.replace('127.0.0.1', 'localhost')
    expect(await pictures.fetch(`${other}/picture`, limits)).toMatchObject({ type: 'image/png' })
  })
})

describe('the address', () => {
  it.each([...PRIVATE_ADDRESSES, ...NO_ADDRESSES, 'http://example.org:6379/', 'https://example.org:22/'])(
    '%s is never connected to, directly or through a proxy',
    async (address) => {
      const { proxy, options } = await startProxy()
      for (const each of [{}, options, { viaProxy: `${origin}/page` }]) {
        expect(await fetchPage(address, each)).toBe('blocked')
        expect(await fetchPicture(address, each)).toBe('guarded')
      }
      expect(proxy.asked).toEqual([])
      expect(asked).toEqual([])
    },
  )

  it.each(['http://search.example/', 'https://search.example./x', 'https://search.example:8443/x'])(
    '%s is not a page to read, because it is ourselves',
    async (address) => {
      expect(await fetchPage(address)).toBe('blocked')
    },
  )

  it.each(['10.0.0.1', '127.0.0.1'])(
    'a name that leads to %s is as unreachable as one that does not exist',
    async (ip) => {
      const lookup: LookupFunction = (_name, _options, callback) => callback(null, [{ address: ip, family: 4 }])
      const unknown: LookupFunction = (_name, _options, callback) => callback(new Error('ENOTFOUND'), [])
      for (const each of [{ lookup }, { lookup: unknown }]) {
        expect(await fetchPage('http://intranet.example/page', each)).toBe('unreachable')
        expect(await fetchPicture('http://intranet.example/page', each)).toBe('unreachable')
      }
    },
  )

  it('with the operator’s proxy, only the proxy is called', async () => {
    // It is called directly, even if there is an outgoing proxy.
    const { proxy, options } = await startProxy()
    const address = 'https://pages.example/a%20b?c=d'
    expect(await fetchPage(address, { ...options, viaProxy: `${origin}/page` })).toMatchObject({ address })
    expect(await fetchPicture(address, { ...options, viaProxy: `${origin}/picture` })).toMatchObject({
      type: 'image/png',
    })
    const query = '?url=https%3A%2F%2Fpages.example%2Fa%2520b%3Fc%3Dd'
    expect(asked.map(({ url }) => url)).toEqual([`/page${query}`, `/picture${query}`])
    expect(proxy.asked).toEqual([])
  })

  it('a redirect by the operator’s proxy is not followed', async () => {
    expect(await fetchPage('https://pages.example/', { viaProxy: `${origin}/to-page` })).toBe('malformed')
    expect(await fetchPicture('https://pages.example/', { viaProxy: `${origin}/to-picture` })).toBe('malformed')
    expect(asked).toHaveLength(2)
  })

  it('with an outgoing proxy, all comes through it, and no name is resolved here', async () => {
    const { proxy, options } = await startProxy()
    expect(await fetchPage('http://blog.example/page', options)).toMatchObject({ bytes: Buffer.from(PAGE) })
    expect(await fetchPicture('http://blog.example/picture', options)).toMatchObject({ type: 'image/png' })
    expect(proxy.asked).toEqual(['blog.example:80', 'blog.example:80'])
    expect(asked.map(({ from }) => from)).toEqual([PROXY_ADDRESS, PROXY_ADDRESS])
  })

  it('a redirect to a private address is not followed', async () => {
    const { proxy, options } = await startProxy()
    expect(await fetchPage('http://blog.example/to-metadata', options)).toBe('blocked')
    expect(await fetchPicture('http://blog.example/to-metadata', options)).toBe('guarded')
    expect(proxy.asked).toEqual(['blog.example:80', 'blog.example:80'])
  })

  it('nothing goes around an outgoing proxy that refuses', async () => {
    const { options } = await startProxy(403)
    expect(await fetchPage('http://blog.example/page', options)).toBe('unreachable')
    expect(await fetchPicture('http://blog.example/picture', options)).toBe('unreachable')
    expect(asked).toEqual([])
  })
})
