import { beforeAll, describe, expect, it } from 'vitest'
import type { SiteStage } from '../site.test-harness.ts'
import { answerIn, openAnswerBox } from './answer-box.test-harness.ts'
import { answerPage } from './answer-box.ts'
import { resultsPage } from './results-page.ts'

let stage: SiteStage
beforeAll(async () => {
  stage = await openAnswerBox({ pages: [resultsPage, answerPage] })
})

const get = (path: string) => stage.browser().get(path)

describe('an answer about today', () => {
  it('is in UTC on the page, says so, and tells the script where to request it again', async () => {
    const shown = answerIn((await get('/search?q=what+time+is+it&lang=de')).body)
    expect(shown).toContain('>12:00</p>')
    expect(shown).toContain('(UTC)')
    expect(shown).toContain('data-here="/answer?q=what+time+is+it&amp;lang=de"')
  })

  it('has no such address if the zone does not matter', async () => {
    for (const query of ['2%2B2', 'time+in+tokyo', 'days+between+2024-01-01+and+2024-03-01']) {
      const shown = answerIn((await get(`/search?q=${query}`)).body)
      expect(shown, query).not.toBe('')
      expect(shown, query).not.toContain('data-here')
    }
  })

  it('is in the reader’s zone at /answer, and not cached', async () => {
    const { status, headers, body } = await get('/answer?q=what+time+is+it&tz=Asia%2FTokyo')
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body).toMatch(/^<section class="answer"/)
    expect(body).toContain('>21:00</p>')
    expect(body).toContain('JST, UTC+9')
    expect(body).not.toContain('data-here')
  })

  it('has a different date in a different zone', async () => {
    const { body } = await get('/answer?q=days+until+christmas&tz=Pacific%2FKiritimati')
    expect(body).toContain('39 days until Christmas')
    expect(body).not.toContain('UTC')
  })
})

describe('204: nothing depends on the zone', () => {
  it.each([
    ['no zone', 'q=what+time+is+it'],
    ['no zone of this name', 'q=what+time+is+it&tz=Atlantis'],
    ['an offset', 'q=what+time+is+it&tz=%2B05%3A30'],
    ['no query', 'q=&tz=Asia%2FTokyo'],
    ['a query of 501 characters', `q=${'x'.repeat(501)}&tz=Asia%2FTokyo`],
    ['an answer that is the same everywhere', 'q=2%2B2&tz=Asia%2FTokyo'],
    ['no question for an instant answer', 'q=climate&tz=Asia%2FTokyo'],
  ])('%s', async (_name, query) => {
    const { status, body } = await get(`/answer?${query}`)
    expect(status).toBe(204)
    expect(body).toBe('')
  })
})
