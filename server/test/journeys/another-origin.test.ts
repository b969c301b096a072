// A web page on another origin calls the API from a real browser. With CORS_ORIGINS it can, and reads the headers it
// needs; without, the browser blocks the reply.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

let browser: Browser
let elsewhere: Server
let origin: string
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
  elsewhere = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another origin</title>'),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  // A server listening on a port has an AddressInfo.
  origin = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  page = await browser.newPage()
  await page.goto(origin)
})

afterAll(async () => {
  await browser.close()
  await new Promise((resolve) => elsewhere.close(resolve))
})

interface Sent {
  url: string
  key?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** What the page's script gets; for a blocked reply the browser throws only a TypeError. */
const fetchInPage = (sent: Sent) =>
  page.evaluate(async ({ url, key, method = 'GET', headers = {}, body }) => {
    try {
      const reply = await fetch(url, {
        method,
        headers: { ...(key !== undefined && { authorization: `Api-Key ${key}` }), ...headers },
        ...(body !== undefined && { body }),
      })
      return { status: reply.status, headers: Object.fromEntries(reply.headers), json: await reply.json() }
    } catch (error) {
      return { failure: (error as Error).name }
    }
  }, sent)

describe('a page whose origin is in CORS_ORIGINS', () => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance({ CORS_ORIGINS: `https://app.example ${origin}` })
  })
  afterAll(() => server.close())

  it('searches with its key, and reads the status headers', async () => {
    const reply = await fetchInPage({ url: `${server.url}/api/v1/web/?q=climate`, key: server.key })
    expect(reply).toMatchObject({ status: 200, json: { query: 'climate', tab: 'web' } })
    expect(reply.headers).toMatchObject({
      'search-status': 'complete',
      'engine-status': expect.stringContaining('engine_a;ok'),
      'cache-status': expect.stringContaining('bowerbird'),
      ratelimit: expect.stringContaining('burst'),
      'x-request-id': expect.stringMatching(/^[\da-f-]{36}$/),
    })
  })

  it('posts a text to translate, as JSON', async () => {
    const reply = await fetchInPage({
      url: `${server.url}/api/v1/translate/`,
      key: server.key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ q: 'hello', target: 'fr' }),
    })
    expect(reply).toMatchObject({ status: 200, json: { target: 'fr' } })
  })

  it('can read why it was refused and when to retry', async () => {
    expect(await fetchInPage({ url: `${server.url}/api/v1/web/?q=climate` })).toMatchObject({
      status: 401,
      json: { detail: expect.stringContaining('Api-Key') },
    })
    const key = await server.createKey({ burst: '1/min' })
    const url = `${server.url}/api/v1/key/`
    expect(await fetchInPage({ url, key })).toMatchObject({ status: 200 })
    const throttled = await fetchInPage({ url, key })
    expect(throttled).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  })
})

describe.each([
  ['without CORS_ORIGINS', {}],
  ['whose origin is not in CORS_ORIGINS', { CORS_ORIGINS: 'https://app.example' }],
])('a page %s', (_name, settings) => {
  let server: TestInstance
  beforeAll(async () => {
    server = await startTestInstance(settings)
  })
  afterAll(() => server.close())

  it('cannot call the API, with a key or without', async () => {
    const url = `${server.url}/api/v1/web/?q=climate`
    expect(await fetchInPage({ url, key: server.key })).toEqual({ failure: 'TypeError' })
    expect(await fetchInPage({ url })).toEqual({ failure: 'TypeError' })
  })

  it('can read the OpenAPI document', async () => {
    const reply = await fetchInPage({ url: `${server.url}/api/v1/openapi.json` })
    expect(reply).toMatchObject({ status: 200, json: { openapi: '3.1.0' } })
  })
})
