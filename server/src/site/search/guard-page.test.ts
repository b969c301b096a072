import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { createAnswers } from '@bowerbird/answers/answers.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { describe, expect, it } from 'vitest'
import { createInstantAnswers } from '../../cards/instant-answers.ts'
import { mapsPage } from '../maps/maps-page.ts'
import { expectPage, openSiteStage, type SiteStubs, USER } from '../site.test-harness.ts'
import { answerPage } from './answer-box.ts'
import { imageDetailPage } from './image-detail-page.ts'
import { resultsPage } from './results-page.ts'
import { openStagedMine, openStagedSearch } from './search.test-harness.ts'
import { sureOf } from './search-query.ts'
import { suggestPage } from './suggest-page.ts'

const IBAN = 'DE89370400440532013000'
const HELD = 'seems to contain a secret'
const SURE = `sure=${sureOf(`declined ${IBAN}`)}`

/** Every call to others is in `calls`. */
async function open(queryGuard: SiteStubs['queryGuard'] = 'warn', viewer?: typeof USER) {
  const { search, calls } = openStagedSearch()
  const mine = openStagedMine()
  const called = <Reply>(name: string, reply: Reply) => {
    calls.push(name)
    return reply
  }
  const services = {
    queryGuard,
    search,
    mine: mine.search,
    answers: createInstantAnswers(
      createAnswers({
        answers: ALL_ANSWERS,
        find: () => called('a source', undefined),
        translate: undefined,
        startDeadline: () => createDeadline(1_000),
        clock: Date.now,
        random: () => 0,
        onError: () => undefined,
      }),
    ),
    suggestionsFor: 'all',
    suggest: {
      providerNames: ['Wikipedia'],
      suggest: async () => called('suggest', { suggestions: ['a suggestion'], status: 'complete' }),
    },
    maps: { isConfigured: true, forward: async () => called('maps', { places: [], attribution: '' }) },
  } as unknown as SiteStubs
  const pages = [resultsPage, imageDetailPage, suggestPage, answerPage, mapsPage]
  return { ...(await openSiteStage(services, pages)).browser(viewer), calls, mineCalls: mine.calls }
}

const linkTo = (body: string, text: string): string =>
  new RegExp(`href="([^"]+)"[^>]*>${text}<`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

describe('a search with a secret, on the website', () => {
  it('is held and asks first, without script', async () => {
    const { get, calls } = await open()
    const reply = await get(`/search?q=declined+${IBAN}&lang=de&page=2`)
    expectPage(reply, { shows: [`${HELD} Found in it: IBAN. Nothing has been sent to any search engine yet.`] })
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(calls).toEqual([])
    expect(linkTo(reply.body, 'Search without it')).toBe('/search?q=declined+IBAN&lang=de&removed=iban')
    expect(linkTo(reply.body, 'Send it as it is')).toBe(`/search?q=declined+${IBAN}&lang=de&${SURE}`)
  })

  it('is searched for without it, and the results say what was left out', async () => {
    const { get, calls } = await open()
    const held = await get(`/search?q=declined+${IBAN}`)
    const reply = await get(linkTo(held.body, 'Search without it'))
    expectPage(reply, { shows: ['Left out of this search: IBAN.'], hides: [IBAN] })
    expect(calls).toContain('brave web')
    const made = await get('/search?q=climate&removed=everything+iban')
    expectPage(made, { shows: ['Left out of this search: IBAN.'], hides: ['everything'] })
  })

  it('is not asked about again on other tabs and pages once it was sent as it is, but another search is', async () => {
    const { get, calls } = await open()
    const { body } = await get(`/search?q=declined+${IBAN}&${SURE}`)
    expect(calls).toContain('brave web')
    expect(linkTo(body, 'News')).toContain(SURE)
    calls.length = 0
    expectPage(await get(`/search?q=${IBAN}&${SURE}`), { shows: [HELD] })
    expect(calls).toEqual([])
  })

  it('is taken elsewhere by no bang unasked', async () => {
    const reply = await (await open()).get(`/search?q=!w+${IBAN}`)
    expect(reply.headers['refresh']).toBeUndefined()
    expectPage(reply, { shows: [HELD] })
  })

  it('has an answer that is computed here all the same, below the warning, and asks nobody', async () => {
    const { get, calls } = await open()
    expectPage(await get(`/search?q=sha256+${IBAN}`), { shows: [/seems to contain a secret.*[0-9a-f]{64}/] })
    await get(`/search?q=translate+${IBAN}+to+german`)
    await get(`/search?q=define+${IBAN}`)
    expect(calls).toEqual([])
  })

  it('is sent to private engines only after it was allowed', async () => {
    const { get, mineCalls } = await open('warn', USER)
    expectPage(await get(`/search?q=declined+${IBAN}`), { hides: ['class="mine"'] })
    expect(mineCalls).toEqual([])
    expectPage(await get(`/search?q=declined+${IBAN}&${SURE}`), { shows: ['class="mine"'] })
    expect(mineCalls).not.toEqual([])
  })

  it('asks for no suggestions, no picture and no place', async () => {
    const { get, calls } = await open()
    expect((await get(`/suggest?q=${IBAN}`)).json()[1]).toEqual([])
    expect((await get(`/answer?q=weather+${IBAN}&tz=Europe/Berlin`)).status).toBe(204)
    expect((await get(`/images/detail?q=${IBAN}&id=x`)).location).toBe(`/search?q=${IBAN}&tab=images`)
    const places = await get(`/maps?q=${IBAN}`)
    expect(linkTo(places.body, 'Search without it')).toBe('/maps?q=IBAN&removed=iban')
    expect(calls).toEqual([])
    await get(linkTo(places.body, 'Send it as it is'))
    expect(calls).toEqual(['maps'])
  })

  it('redact: goes on without it, and the URL has it no longer', async () => {
    const { get, calls } = await open('redact')
    const { location } = await get(`/search?q=declined+${IBAN}`)
    expect(location).toBe('/search?q=declined+IBAN&removed=iban')
    // The longest search of many-byte letters is not lost.
    const { status, body } = await get(`/search?q=${encodeURIComponent('月'.repeat(400))}+${IBAN}`)
    expect(status).toBe(200)
    expect(linkTo(body, 'Search without it')).toContain('+IBAN&removed=iban')
    expect(calls).toEqual([])
  })

  it('400, refuse: offers only to search without it, whatever the URL says', async () => {
    const { get, calls } = await open('refuse')
    const sure = `sure=${sureOf(IBAN)}`
    const reply = await get(`/search?q=${IBAN}&${sure}`)
    expectPage(reply, { status: 400, shows: ['This site sends no search with a secret in it.'] })
    expect(linkTo(reply.body, 'Search without it')).not.toBe('')
    expect(linkTo(reply.body, 'Send it as it is')).toBe('')
    expect((await get(`/images/detail?q=${IBAN}&${sure}&id=x`)).status).toBe(303)
    expect(calls).toEqual([])
  })

  it('off: is sent', async () => {
    const { get, calls } = await open('off')
    await get(`/search?q=${IBAN}`)
    expect(calls).toContain('brave web')
  })
})
