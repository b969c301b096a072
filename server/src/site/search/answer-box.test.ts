import { defineAnswer } from '@bowerbird/answers/answer.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { passUntilDone, simulateTime } from '../../../../engines/test/simulated-time.ts'
import { answerIn, type BesideStage, cardIn, openAnswerBox } from './answer-box.test-harness.ts'

simulateTime()

async function get(path: string, beside: BesideStage = {}, preferences = '') {
  const reader = (await openAnswerBox(beside)).browser()
  if (preferences) reader.cookies.set('bowerbird_preferences', preferences)
  const { status, body, headers } = await reader.get(path)
  return { status, body, answer: answerIn(body), card: cardIn(body), cacheControl: headers['cache-control'] }
}

const dictionary = {
  word: 'bower',
  lang: 'en',
  language: 'English',
  entries: [],
  url: 'https://en.wiktionary.org/wiki/bower',
  attribution: { text: 'Wiktionary', url: '', licence: '', licence_url: '' },
}
const wikipedia = {
  title: 'Eiffel Tower',
  description: 'tower',
  summary: 'A tower.',
  url: 'https://en.wikipedia.org/wiki/Eiffel_Tower',
  lang: 'en',
  image: null,
  facts: [{ property: 'P2048', label: 'height', values: [{ text: '330 m', url: '' }] }],
  sources: [],
  attribution: { text: 'Wikipedia contributors', url: 'https://en.wikipedia.org/', licence: '', licence_url: '' },
}
const down = new UpstreamError('unreachable', 'no connection')
const never = new Promise<never>(() => undefined)
/** Without these, the page is a 503. */
const engines = { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } } as const
const RESULT = 'Bowers &amp; nests'
const NOTE = '<p class="partial" role="status">This query has an instant answer'

/** An answer to `tell me`, as the test wants it. */
const telling = (answer: () => Promise<{ text: string }>) => [
  defineAnswer({
    slug: 'told',
    title: 'Told apart',
    summary: 'As the test wants it.',
    examples: [{ q: 'tell me' }],
    reply: z.object({ text: z.string() }),
    match: ({ folded }) => (folded === 'tell me' ? {} : null),
    answer,
  }),
]

describe('the answer box', () => {
  it('has answer and card on the first page of web results', async () => {
    const { answer, card } = await get('/search?q=2%2B2', { cards: { dictionary } })
    expect(answer).toContain('>4</p>')
    expect(card).toContain('bower')
  })

  it.each<[string, string, BesideStage?]>([
    ['on another page', '2%2B2&page=2', { cards: { dictionary } }],
    ['on another tab', '2%2B2&tab=news', { cards: { dictionary } }],
    ['for an ordinary search', 'bowers'],
    ['if every card fails', 'bowers', { cards: { wikipedia: down, dictionary: down } }],
    ['if there is a bug in showing it', 'bowers', { cards: { book: { title: 'only a title' } } }],
    ['for a question about another thing', 'who+wrote+the+eiffel+tower', { cards: { wikipedia } }],
  ])('is empty %s, without a note', async (_, query, beside) => {
    const { status, body, answer, card } = await get(`/search?q=${query}`, beside)
    expect(status).toBe(200)
    expect(answer + card).toBe('')
    expect(body).not.toContain('class="partial"')
  })

  it('503: has an answer even if no engine answered', async () => {
    const { status, answer, body } = await get('/search?q=2%2B2', { engines })
    expect(status).toBe(503)
    expect(answer).toContain('>4</p>')
    expect(body).toContain('No search engine responded')
  })

  it('leaves results and a note if the source of an answer fails', async () => {
    const { status, body } = await get('/search?q=tell+me', { answers: telling(() => Promise.reject(down)) })
    expect(status).toBe(200)
    expect(body).toContain(RESULT)
    expect(body).toContain(NOTE)
  })

  it('leaves results and a note if a source hangs', async () => {
    const beside = { answers: telling(() => never), cards: { wikipedia: never } }
    const began = performance.now()
    const { body } = await passUntilDone(get('/search?q=tell+me', beside))
    expect(body).toContain(RESULT)
    expect(body).toContain(NOTE)
    // On the clock that the test moves.
    expect(performance.now() - began).toBeLessThan(3_000)
  })

  it.each([
    ['cards=off', false],
    ['', true],
  ])('with the preference “%s” a card provider is called: %s', async (preferences, isAsked) => {
    let asked = 0
    const cards = {
      get dictionary() {
        asked += 1
        return dictionary
      },
    }
    const { answer, card } = await get('/search?q=2%2B2', { cards }, preferences)
    expect(answer).toContain('>4</p>')
    expect(card !== '').toBe(isAsked)
    expect(asked).toBe(isAsked ? 1 : 0)
  })

  it('answers a question about a fact with that of the card', async () => {
    const { answer, card } = await get('/search?q=eiffel+tower+height', { cards: { wikipedia } })
    expect(answer).toContain('>330 m</p>')
    expect(answer).toContain('Wikipedia contributors')
    expect(card).toContain('Eiffel Tower')
  })

  it.each<[string, string, BesideStage, string, string]>([
    ['random', 'random+password+20', {}, '', 'no-store'],
    ['random and without results', 'random+password+20', { engines }, '', 'no-store'],
    ['random and all there is', 'random+password+20', {}, 'answers_first=on', 'no-store'],
    ['the same for all', '2%2B2', {}, '', 'private, no-cache'],
  ])(
    'a page with an answer that is %s has the right Cache-Control',
    async (_, query, beside, preferences, expected) => {
      expect((await get(`/search?q=${query}`, beside, preferences)).cacheControl).toBe(expected)
    },
  )

  it('is about the reader’s own address', async () => {
    expect((await get('/search?q=what+is+my+ip')).answer).toContain('>127.0.0.1</p>')
  })

  it('an answer is escaped, however long', async () => {
    const text = `<img src=x onerror=alert(1)>" ${'a'.repeat(20_000)}`
    const { answer } = await get('/search?q=tell+me', { answers: telling(async () => ({ text })) })
    expect(answer).toContain('&lt;img src=x')
    expect(answer).not.toContain('<img')
    expect(answer.length).toBeLessThan(30_000)
  })
})

describe('for a reader who wants answers without searching', () => {
  const open = (query: string) => get(`/search?q=${query}`, { engines, sayings: {} }, 'answers_first=on')

  it('the answer is all there is, with a link to results', async () => {
    const { status, body, answer } = await open('2%2B2&date=w')
    expect(status).toBe(200)
    expect(answer).toContain('>4</p>')
    expect(body).toContain('<a href="/search?q=2%2B2&amp;date=w&amp;results=on">Search the web for “2+2”</a>')
  })

  it.each([
    ['results are wanted', '2%2B2&results=on'],
    ['there is no answer', 'bowers'],
    ['the answer would need a source', 'weather+in+paris'],
    ['it is about one site', '2%2B2+site%3Aexample.com'],
    ['it is another page', '2%2B2&page=2'],
    ['it is another tab', '2%2B2&tab=news'],
  ])('engines are asked if %s', async (_, query) => {
    expect((await open(query)).status).toBe(503)
  })
})
