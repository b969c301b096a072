import { pino } from 'pino'
import { beforeAll, expect, it } from 'vitest'
import { LoadShedder } from '../../rate-limit/load-shedder.ts'
import { openSiteStage, type SiteStage } from '../site.test-harness.ts'
import { html } from './html.ts'
import { definePage } from './page.ts'

const load = new LoadShedder({ maxInFlight: 10, log: pino({ level: 'silent' }), clock: () => 0 })
let site: SiteStage
let lookUps = 0

beforeAll(async () => {
  const sessions = {
    find: async () => {
      lookUps += 1
      return undefined
    },
  }
  const page = definePage({
    method: 'GET',
    path: '/search',
    access: 'anyone',
    handle: () => ({ title: 'Search', body: html`<p>hello</p>` }),
  })
  site = await openSiteStage({ load, sessions }, [page])
  load.inFlight = 10
})

it('503: a page in the reader’s language, without looking up the session', async () => {
  const headers = { 'accept-language': 'de', cookie: 'bowerbird_session=someone' }
  const reply = await site.inject({ method: 'GET', url: '/search?q=x', headers })
  expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  expect(reply.body).toContain('Dieser Server hat zu viele Anfragen')
  expect(reply.body).toContain('Versuchen Sie es in 2 Sekunden noch einmal.')
  expect(lookUps).toBe(0)
})
