import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { createAnswers } from '@bowerbird/answers/answers.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { describe, expect, it } from 'vitest'
import type { Page } from '../http/page.ts'
import { mapsPage } from '../maps/maps-page.ts'
import { type Browser, openSiteStage } from '../site.test-harness.ts'
import type { SiteServices } from '../site-services.ts'
import { answerPage } from './answer-box.ts'
import { imageDetailPage } from './image-detail-page.ts'
import { resultsPage } from './results-page.ts'
import { openStagedMine, openStagedSearch } from './search.test-harness.ts'
import { sureOf } from './search-query.ts'
import { suggestPage } from './suggest-page.ts'

const PAGES: readonly Page[] = [resultsPage, imageDetailPage, suggestPage, answerPage, mapsPage]
const IBAN = 'DE89370400440532013000'

/** Every call to somebody else is in `calls`. */
async function searching(given: Partial<SiteServices> = {}): Promise<Browser & { calls: string[] }> {
  const { search, calls } = openStagedSearch()
  const ask = (name: string) => () => {
    calls.push(name)
    return undefined
  }
  const services = {
    search,
    answers: createAnswers({
      answers: ALL_ANSWERS,
      find: ask('a source'),
      translate: undefined,
      startDeadline: () => createDeadline(1_000),
      clock: Date.now,
      random: () => 0,
      onError: () => undefined,
    }),
    suggestionsFor: 'all',
    suggest: {
      providerNames: ['Wikipedia'],
      suggest: async () => {
        calls.push('suggest')
        return { suggestions: ['a suggestion'], status: 'complete' }
      },
    },
    maps: {
      isConfigured: true,
      forward: async () => {
        calls.push('maps')
        return { places: [], attribution: '' }
      },
    },
    ...given,
  } as unknown as SiteServices
  const stage = await openSiteStage(services, PAGES)
  return { ...stage.browser(), calls }
}

const linkTo = (body: string, text: string): string =>
  new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

describe('a search with a secret, on the website', () => {
  it('is held and asks first, without script', async () => {
    const browser = await searching()
    const { status, headers, body, text } = await browser.get(`/search?q=declined+${IBAN}&lang=de&page=2`)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(browser.calls).toEqual([])
    expect(text).toContain(
      'This search seems to contain a secret Found in it: IBAN. Nothing has been sent to any search engine yet.',
    )
    expect(linkTo(body, 'Search without it')).toBe('/search?q=declined+IBAN&lang=de&removed=iban')
    expect(linkTo(body, 'Send it as it is')).toBe(
      `/search?q=declined+${IBAN}&lang=de&sure=${sureOf(`declined ${IBAN}`)}`,
    )
  })

  it('without it, the results say what was left out', async () => {
    const browser = await searching()
    const held = await browser.get(`/search?q=declined+${IBAN}`)
    const { body, text } = await browser.get(linkTo(held.body, 'Search without it'))
    expect(text).toContain('Left out of this search: IBAN.')
    expect(browser.calls).toContain('brave web')
    expect(body).not.toContain(IBAN)
  })

  it('sent as it is, its other tabs and pages are not asked about again, but another search is', async () => {
    const browser = await searching()
    const held = await browser.get(`/search?q=declined+${IBAN}`)
    const { body } = await browser.get(linkTo(held.body, 'Send it as it is'))
    expect(browser.calls).toContain('brave web')
    expect(linkTo(body, 'News')).toContain(`sure=${sureOf(`declined ${IBAN}`)}`)
    browser.calls.length = 0
    const other = await browser.get(`/search?q=${IBAN}&sure=${sureOf(`declined ${IBAN}`)}`)
    expect(other.text).toContain('seems to contain a secret')
    expect(browser.calls).toEqual([])
  })

  it('no bang takes it elsewhere unasked', async () => {
    const { status, headers, text } = await (await searching()).get(`/search?q=!w+${IBAN}`)
    expect(status).toBe(200)
    expect(headers['refresh']).toBeUndefined()
    expect(text).toContain('seems to contain a secret')
  })

  it('an answer that is computed here is shown all the same, and asks nobody', async () => {
    const browser = await searching()
    const { text } = await browser.get(`/search?q=sha256+${IBAN}`)
    expect(text).toMatch(/[0-9a-f]{64}/)
    await browser.get(`/search?q=translate+${IBAN}+to+german`)
    await browser.get(`/search?q=define+${IBAN}`)
    expect(browser.calls).toEqual([])
  })

  it('private engines are asked only after it was allowed, and the warning stands above what is computed here', async () => {
    const mine = openStagedMine()
    const { search } = openStagedSearch()
    const services = { search, mine: mine.search }
    const stage = await openSiteStage(services, PAGES)
    const person = stage.browser({ userId: '1', username: 'ada', isAdmin: false, sessionId: '1' })
    const held = await person.get(`/search?q=declined+${IBAN}`)
    expect(mine.calls).toEqual([])
    expect(held.body).not.toContain('class="mine"')
    const { body } = await person.get(linkTo(held.body, 'Send it as it is'))
    expect(mine.calls.length).toBeGreaterThan(0)
    expect(body).toContain('class="mine"')
    const computed = (await (await searching()).get(`/search?q=sha256+${IBAN}`)).text
    expect(computed).toMatch(/seems to contain a secret.*[0-9a-f]{64}/)
  })

  it('asks for no suggestions, no picture and no place', async () => {
    const browser = await searching()
    expect((await browser.get(`/suggest?q=${IBAN}`)).json()[1]).toEqual([])
    expect((await browser.get(`/answer?q=weather+${IBAN}&tz=Europe/Berlin`)).status).toBe(204)
    expect((await browser.get(`/images/detail?q=${IBAN}&id=x`)).location).toBe(`/search?q=${IBAN}&tab=images`)
    const places = await browser.get(`/maps?q=${IBAN}`)
    expect(linkTo(places.body, 'Search without it')).toBe('/maps?q=IBAN&removed=iban')
    expect(browser.calls).toEqual([])
    await browser.get(linkTo(places.body, 'Send it as it is'))
    expect(browser.calls).toEqual(['maps'])
  })

  it('redact: goes on without it, and the URL has it no longer', async () => {
    const browser = await searching({ queryGuard: 'redact' })
    const { status, headers } = await browser.get(`/search?q=declined+${IBAN}`)
    expect(status).toBe(303)
    expect(headers.location).toBe('/search?q=declined+IBAN&removed=iban')
    expect(browser.calls).toEqual([])
  })

  it('redact: the longest search of many-byte letters is not lost', async () => {
    const browser = await searching({ queryGuard: 'redact' })
    const { status, body } = await browser.get(`/search?q=${encodeURIComponent('月'.repeat(400))}+${IBAN}`)
    expect(status).toBe(200)
    expect(browser.calls).toEqual([])
    expect(linkTo(body, 'Search without it')).toContain('+IBAN&removed=iban')
  })

  it('400, refuse: offers only to search without it, whatever the URL says', async () => {
    const browser = await searching({ queryGuard: 'refuse' })
    const { status, body, text } = await browser.get(`/search?q=${IBAN}&sure=${sureOf(IBAN)}`)
    expect(status).toBe(400)
    expect(text).toContain('This site sends no search with a secret in it.')
    expect(linkTo(body, 'Search without it')).not.toBe('')
    expect(linkTo(body, 'Send it as it is')).toBe('')
    expect((await browser.get(`/images/detail?q=${IBAN}&sure=${sureOf(IBAN)}&id=x`)).status).toBe(303)
    expect(browser.calls).toEqual([])
  })

  it('off: is sent', async () => {
    const browser = await searching({ queryGuard: 'off' })
    await browser.get(`/search?q=${IBAN}`)
    expect(browser.calls).toContain('brave web')
  })

  it('a made-up kind in the URL is not shown', async () => {
    const { body, text } = await (await searching()).get('/search?q=climate&removed=everything+iban')
    expect(text).toContain('Left out of this search: IBAN.')
    expect(body).not.toContain('everything')
  })
})
