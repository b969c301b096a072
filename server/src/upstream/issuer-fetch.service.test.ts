import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { expect, it } from 'vitest'
import { createIssuerFetch, type IssuerFetch } from './issuer-fetch.ts'
import { setUpLocalServers } from './local-servers.test-harness.ts'

const { closeLater, serveHttp } = setUpLocalServers()

function openFetch(issuer: string): IssuerFetch['fetch'] {
  const issuerFetch = createIssuerFetch({ issuer, outgoingProxy: undefined, userAgent: 'Bowerbird/test' })
  closeLater(issuerFetch)
  return (...request) => issuerFetch.fetch(...request)
}

const get = { method: 'GET', headers: { accept: 'application/json' } }

it('the fetch of an identity provider sends a form, and gives back status, headers and text', async () => {
  const url = await serveHttp(async (request, response) => {
    const { method, url } = request
    const body = Buffer.concat(await request.toArray()).toString()
    response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    response.end(gzipSync(JSON.stringify({ method, url, body })))
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
])('the fetch of an identity provider rejects a reply that %s', async (_, handle, kind) => {
  const url = await serveHttp(handle)
  await expect(openFetch(url)(url, get)).rejects.toMatchObject({ kind })
})

it('the fetch of an identity provider rejects if no server answers', async () => {
  await expect(openFetch('http://127.0.0.1:1')('http://127.0.0.1:1/', get)).rejects.toBeInstanceOf(UpstreamError)
})

it('the fetch of an identity provider reaches a private address only at the host of the issuer', async () => {
  const url = await serveHttp((_, response) => response.end('{}'))
  const fetch = openFetch('http://auth.example.org')
  await expect(fetch(url, get)).rejects.toMatchObject({ kind: 'guarded' })
  await expect(fetch(url.replace('127.0.0.1', 'localhost'), get)).rejects.toMatchObject({ kind: 'guarded' })
})

it('the fetch of an identity provider reaches at most eight hosts', async () => {
  const urls = await Promise.all(Array.from({ length: 9 }, () => serveHttp((_, response) => response.end('{}'))))
  const fetch = openFetch(urls[0] ?? '')
  for (const url of urls.slice(0, 8)) expect((await fetch(url, get)).status).toBe(200)
  await expect(fetch(urls[8] ?? '', get)).rejects.toMatchObject({ kind: 'guarded' })
})
