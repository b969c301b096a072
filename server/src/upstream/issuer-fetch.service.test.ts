import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { afterEach, expect, it } from 'vitest'
import { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  )
  // A listening server has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function openFetch(issuer: string): IssuerFetch['fetch'] {
  const { fetch, close } = createIssuerFetch({ issuer, outgoingProxy: undefined, userAgent: 'Bowerbird/test' })
  opened.push(close)
  return fetch
}

const get = { method: 'GET', headers: { accept: 'application/json' } }

it('sends a form, and gives back status, headers and text', async () => {
  const url = await listen((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(gzipSync(JSON.stringify({ method: request.method, url: request.url, body })))
    })
  })
  const reply = await openFetch(url)(`${url}/token?x=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ code: 'a b' }),
  })
  expect(reply.status).toBe(400)
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(await reply.json()).toEqual({ method: 'POST', url: '/token?x=1', body: 'code=a+b' })
})

it.each<[string, RequestListener, string]>([
  ['is too large', (_, response) => response.end('x'.repeat(300_000)), 'malformed'],
  [
    'unpacks to too much',
    (_, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync('x'.repeat(3_000_000)))
    },
    'malformed',
  ],
  ['is a redirect', (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(), 'malformed'],
  ['says that it is out of order', (_, response) => response.writeHead(502).end(), 'unreachable'],
])('rejects a reply that %s', async (_, handle, kind) => {
  const url = await listen(handle)
  await expect(openFetch(url)(url, get)).rejects.toMatchObject({ kind })
})

it('rejects if nobody answers', async () => {
  await expect(openFetch('http://127.0.0.1:1')('http://127.0.0.1:1/', get)).rejects.toBeInstanceOf(UpstreamError)
})

it('reaches a private address only at the host of the issuer', async () => {
  const url = await listen((_, response) => response.end('{}'))
  const fetch = openFetch('http://auth.example.org')
  await expect(fetch(url, get)).rejects.toMatchObject({ kind: 'guarded' })
  await expect(fetch(url.replace('127.0.0.1', 'localhost'), get)).rejects.toMatchObject({ kind: 'guarded' })
})

it('reaches at most eight hosts', async () => {
  const urls = await Promise.all(Array.from({ length: 9 }, () => listen((_, response) => response.end('{}'))))
  const fetch = openFetch(urls[0] ?? '')
  for (const url of urls.slice(0, 8)) expect((await fetch(url, get)).status).toBe(200)
  await expect(fetch(urls[8] ?? '', get)).rejects.toMatchObject({ kind: 'guarded' })
})
