import { afterAll, beforeAll, expect, it } from 'vitest'
import { LoadShedder } from '../../limits/load-shedder.ts'
import { openSiteStage, type SiteStage } from '../site.test-stage.ts'
import { html } from './html.ts'
import { definePage } from './page.ts'

const load = new LoadShedder({ maxLoopDelayMs: 0, maxInFlight: 10, clock: () => 0, random: () => 0.5 })
const handled: string[] = []

const page = (path: string, extra: { quota?: 'search'; isData?: true } = {}) =>
  definePage({
    method: 'GET',
    path,
    access: 'anyone',
    ...extra,
    handle() {
      handled.push(path)
      return { title: path, body: html`<p>hello</p>` }
    },
  })

let site: SiteStage
let lookUps = 0

beforeAll(async () => {
  const sessions = {
    find: async () => {
      lookUps += 1
      return undefined
    },
  }
  const pages = [page('/'), page('/search', { quota: 'search' }), page('/suggest', { quota: 'search', isData: true })]
  site = await openSiteStage({ load, sessions }, pages)
  load.inFlight = 11
})
afterAll(() => site.close())

it('503: a page that asks providers, in the reader’s language, without looking up who they are', async () => {
  const headers = { 'accept-language': 'de', cookie: 'bowerbird_session=someone' }
  const reply = await site.inject({ method: 'GET', url: '/search?q=x', headers })
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '3'])
  expect(reply.body).toContain('Dieser Server hat zu viele Anfragen')
  expect(reply.body).toContain('Versuchen Sie es in 3 Sekunden noch einmal.')
  expect(lookUps).toBe(0)
})

it('503: data for a page, as a bare status', async () => {
  const reply = await site.inject({ method: 'GET', url: '/suggest?q=x', headers: {} })
  expect([reply.statusCode, reply.headers['retry-after'], reply.body]).toEqual([503, '3', '503\n'])
})

it('200: a page that asks nobody', async () => {
  handled.length = 0
  expect((await site.inject({ method: 'GET', url: '/', headers: {} })).statusCode).toBe(200)
  expect(handled).toEqual(['/'])
})
