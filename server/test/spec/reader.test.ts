// The reader of a whole instance: reads results of the sandbox's engines through the sandbox's page proxy.
import { beforeAll, describe, expect, it } from 'vitest'
import { type SharedInstance, shareInstance } from '../support/shared-instance.ts'

const LIMITS = { burst: '100000/min', sustained: '1000000/day' }

let server: SharedInstance
let anyKey: string
beforeAll(async () => {
  server = await shareInstance()
  anyKey = await server.createKey({ ...LIMITS, scopes: ['search', 'read', 'read_any'] })
})

async function get(path: string, key: string) {
  const reply = await fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Api-Key ${key}` } })
  return { status: reply.status, json: (await reply.json()) as Record<string, unknown> } // an object, on every path here
}

const read = (address: string, key = anyKey) => get(`read/?url=${encodeURIComponent(address)}`, key)

describe('/api/v1/read/', () => {
  it('reads a page as Markdown', async () => {
    const { status, json } = await read('https://harbour-gazette.example/stories/tides')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      final_url: 'https://harbour-gazette.example/stories/tides',
      title: 'stories tides',
      byline: 'Mara Lindqvist',
      site_name: 'harbour-gazette.example',
      language: 'en',
      type: 'html',
      truncated: false,
    })
    expect(json['content']).toMatch(
      /## What to look at first\n\n- the \[sources\]\(https:\/\/harbour-gazette\.example\/sources\)/,
    )
    expect(json['content']).toContain('| Year | Figure |\n| --- | --- |')
    expect(json['content']).not.toMatch(/Home|About|<|invented page of the sandbox/)
  })

  it.each([
    ['robots', 'https://harbour-gazette.example/private/letters'],
    ['status', 'https://harbour-gazette.example/hostile-gone'],
    ['no_content', 'https://harbour-gazette.example/hostile-empty'],
    ['not_text', 'https://harbour-gazette.example/hostile-film'],
    ['too_complex', 'https://harbour-gazette.example/hostile-deep'],
    ['too_complex', 'https://harbour-gazette.example/hostile-inline'],
    ['too_complex', 'https://harbour-gazette.example/hostile-tables'],
    ['too_complex', 'https://harbour-gazette.example/hostile-rows'],
    ['too_large', 'https://harbour-gazette.example/hostile-bomb'],
    ['timeout', 'https://harbour-gazette.example/hostile-drip'],
    ['blocked', 'http://127.0.0.1/'],
    ['blocked', 'http://169.254.169.254/latest/meta-data'],
    ['blocked', 'http://example.org:6379/'],
  ])('422 %s: %s', async (reason, address) => {
    const { status, json } = await read(address)
    expect([status, json['reason']]).toEqual([422, reason])
  })

  it('a page that is too complex costs five requests of the limits, once', async () => {
    const key = await server.createKey({ burst: '100/min', sustained: '1000/day', scopes: ['read', 'read_any'] })
    const spend = async (path: string) => {
      const reply = await fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Api-Key ${key}` } })
      return Number(/"burst";r=(\d+)/.exec(reply.headers.get('ratelimit') ?? '')?.[1])
    }
    const address = encodeURIComponent('https://harbour-gazette.example/hostile-deep?costs')
    expect(await spend('key/')).toBe(99)
    await spend(`read/?url=${address}`)
    expect(await spend('key/')).toBe(93)
    // It is known by now.
    await spend(`read/?url=${address}`)
    expect(await spend('key/')).toBe(91)
  })

  it('a page counts once, an unreadable page not at all, and no URL is logged', async () => {
    const key = await server.createKey({ ...LIMITS, scopes: ['read', 'read_any'] })
    await read('https://slow-notebook.example/a-page-that-nobody-names', key)
    await read('https://slow-notebook.example/private/a-page-that-nobody-names', key)
    const { json } = await get('key/', key)
    expect(json['usage']).toMatchObject({ searches: 1 })
    expect(json['scopes']).toEqual(['read', 'read_any'])
    expect(server.logged()).not.toMatch(/nobody-names|slow-notebook/)
  })
})
