// The pages themselves, over an authorization server that a test answers for. The whole way is in
// `server/test/spec/oauth.test.ts`.

import { describe, expect, it } from 'vitest'
import { TooManyKeys } from '../../keys/keys.ts'
import type { Oauth } from '../../oauth/oauth.ts'
import type { ConsentRequest } from '../../oauth/oauth-server.ts'
import type { Viewer } from '../http/page.ts'
import { openSiteStage, pagesUnder, type SiteStage, type SiteStubs } from '../site.test-harness.ts'

const ID = 'a-request-for-consent'
const PATH = `/oauth/consent/${ID}`
const REQUEST: ConsentRequest = {
  client: 'a-client',
  name: 'Assistant',
  redirect: 'https://assistant.example/callback',
  scopes: ['search', 'read', 'mine', 'offline_access'],
  decision: undefined,
}

let stage: SiteStage
let calls: unknown[]

/** With a person who has just signed in, unless `oauth` is off. */
async function open(given: Partial<Oauth> | undefined, services: Partial<SiteStubs> = {}) {
  calls = []
  const oauth = given && {
    issuer: 'http://site.test',
    findConsentRequest: async () => REQUEST,
    deny: async (id: string) => void calls.push(['deny', id]),
    allow: async (_by: unknown, id: string, consent: object) => void calls.push(['allow', id, consent]),
    ...given,
  }
  // The pages use nothing else of these.
  const parts = { oauth, accounts: { accessBy: () => ({}) }, ...services } as unknown as Partial<SiteStubs>
  stage = await openSiteStage(parts, pagesUnder('/oauth'))
  const viewer: Viewer = { userId: '7', username: 'ada', isAdmin: false, sessionId: '1', confirmedAt: Date.now() }
  return stage.browser(viewer)
}

const ticksIn = (body: string) =>
  [...body.matchAll(/<input type="checkbox"[^>]* value="(\w+)"( checked)?/g)].map(([, scope, isTicked]) => [
    scope,
    isTicked !== undefined,
  ])

describe('the page for consent', () => {
  it('offers what this instance has of what the client asked for, and one’s own things only unticked', async () => {
    const browser = await open({}, { mine: { slotNames: ['karakeep'] } as unknown as SiteStubs['mine'] })
    const { status, body } = await browser.get(PATH)
    expect(status).toBe(200)
    expect(ticksIn(body)).toEqual([
      ['search', true],
      ['mine', false],
    ])
  })

  it.each([
    ['https://assistant.example/callback', 'assistant.example', 'https://assistant.example'],
    ['http://localhost:4000/cb', 'localhost:4000', 'http://localhost:4000'],
    ['cursor://anysphere/callback', 'anysphere', 'cursor:'],
  ])('shows where %s leads, and lets its form lead there', async (redirect, host, target) => {
    const browser = await open({ findConsentRequest: async () => ({ ...REQUEST, redirect }) })
    const { body, headers } = await browser.get(PATH)
    expect(body).toContain(`<strong>${host}</strong>`)
    expect(headers['content-security-policy']).toContain(`form-action 'self' ${target};`)
    expect(body.includes('a program on this computer')).toBe(redirect.startsWith('http:'))
    expect(headers['cache-control']).toBe('no-store')
  })

  it('passes on what was chosen, and no scope that was not offered', async () => {
    const browser = await open({})
    const reply = await browser.submit(PATH, { decision: 'allow', scopes: ['search', 'read_any', 'translate'] })
    expect(reply.location).toBe(`/oauth/authorize/${ID}`)
    expect(calls).toEqual([['allow', ID, { userId: '7', scopes: ['search'] }]])
  })

  it('takes anything but a clear yes for a no', async () => {
    const browser = await open({})
    for (const decision of ['deny', '', 'perhaps']) await browser.submit(PATH, { decision, scopes: 'search' })
    expect(calls).toEqual([
      ['deny', ID],
      ['deny', ID],
      ['deny', ID],
    ])
  })

  it('409: says so if there are too many keys', async () => {
    const browser = await open({ allow: () => Promise.reject(new TooManyKeys(25)) })
    const { status, body } = await browser.submit(PATH, { decision: 'allow', scopes: 'search' })
    expect(status).toBe(409)
    expect(body).toContain('limited to 25')
  })

  it('404: is gone after a decision, for a made-up request, and where programs cannot be connected', async () => {
    const decided = await open({ findConsentRequest: async () => ({ ...REQUEST, decision: { userId: '7' } }) })
    expect((await decided.get(PATH)).status).toBe(404)
    const unknown = await open({ findConsentRequest: async () => undefined })
    expect((await unknown.get(PATH)).status).toBe(404)
    expect((await unknown.get('/oauth/consent/short')).status).toBe(404)
    const off = await open(undefined)
    for (const path of [PATH, '/oauth/authorize?client_id=x', `/oauth/authorize/${ID}`])
      expect((await off.get(path)).status).toBe(404)
  })
})

describe('the way there and back', () => {
  it('passes the whole query on, and leads to where the server says', async () => {
    const queries: string[] = []
    const browser = await open({
      async authorize(query) {
        queries.push(query)
        return { location: PATH }
      },
    })
    const { status, headers } = await browser.get('/oauth/authorize?client_id=x&redirect_uri=https://a.example/?b=c')
    expect({ status, location: headers.location }).toEqual({ status: 303, location: PATH })
    expect(queries).toEqual(['client_id=x&redirect_uri=https://a.example/?b=c'])
  })

  it('400: shows what is wrong with the client’s request, as text', async () => {
    const browser = await open({ authorize: async () => ({ fault: 'no <b>such</b> client' }) })
    const { status, body, headers } = await browser.get('/oauth/authorize?client_id=x')
    expect(status).toBe(400)
    expect(body).toContain('no &lt;b&gt;such&lt;/b&gt; client')
    expect(headers['error-code']).toBe('parameter_invalid')
  })

  it('303, 404: goes on to the client only for the person who decided', async () => {
    const location = 'https://assistant.example/callback?code=x'
    const browser = await open({ resume: async (_id, userId) => (userId === '7' ? { location } : undefined) })
    expect((await browser.get(`/oauth/authorize/${ID}`)).location).toBe(location)
    const other = stage.browser({ userId: '8', username: 'bob', isAdmin: false, sessionId: '2' })
    expect((await other.get(`/oauth/authorize/${ID}`)).status).toBe(404)
  })
})
