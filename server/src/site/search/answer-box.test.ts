import { defineAnswer } from '@bowerbird/answers/answer.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { passUntilDone, simulateTime } from '../../../../engines/test/simulated-time.ts'
import { answerIn, type BesideStage, cardIn, openAnswerBox } from './answer-box.test-harness.ts'

simulateTime()

async function get(path: string, beside: BesideStage) {
  const stage = await openAnswerBox(beside)
  const began = performance.now()
  const reply = await stage.browser().get(path)
  return {
    ...reply,
    status: reply.status,
    headers: reply.headers,
    body: reply.body,
    ms: performance.now() - began,
  }
}

const dictionary = {
  word: 'bower',
  lang: 'en',
  language: 'English',
  entries: [],
  url: 'https://en.wiktionary.org/wiki/bower',
  attribution: { text: 'Wiktionary', url: '', licence: '', licence_url: '' },
}
const down = new UpstreamError('unreachable', 'no connection')
const never = new Promise<never>(() => undefined)

/** An answer to `tell me`, as the test wants it. */
const telling = (answer: () => Promise<{ text: string }>, isPersonal = false) => [
  defineAnswer({
    slug: 'told',
    title: 'Told apart',
    summary: 'As the test wants it.',
    examples: [{ q: 'tell me' }],
    isPersonal,
    reply: z.object({ text: z.string() }),
    match: ({ folded }) => (folded === 'tell me' ? {} : null),
    answer,
  }),
]

describe('the answer box', () => {
  it('is only on the first page of web results', async () => {
    const beside = { cards: { dictionary } }
    const first = await get('/search?q=2%2B2', beside)
    expect(answerIn(first.body)).toContain('>4</p>')
    expect(cardIn(first.body)).toContain('bower')
    for (const path of ['/search?q=2%2B2&page=2', '/search?q=2%2B2&tab=news']) {
      const { body } = await get(path, beside)
      expect(answerIn(body) + cardIn(body)).toBe('')
    }
  })

  it('an ordinary search has neither answer nor card, and no note about it', async () => {
    const { body } = await get('/search?q=bowers', {})
    expect(answerIn(body) + cardIn(body)).toBe('')
    expect(body).not.toContain('class="partial"')
  })

  it('an answer is shown even if no engine answered', async () => {
    const { status, body } = await get('/search?q=2%2B2', {
      engines: { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } },
    })
    expect(status).toBe(503)
    expect(answerIn(body)).toContain('>4</p>')
    expect(body).toContain('No search engine responded')
  })

  it('results are shown if the source of an answer fails, with a note', async () => {
    const answers = telling(() => Promise.reject(down))
    const { status, body } = await get('/search?q=tell+me', { answers })
    expect(status).toBe(200)
    expect(body).toContain('Bowers &amp; nests')
    expect(body).toContain('<p class="partial" role="status">This query has an instant answer')
  })

  it('results are shown if every card fails, without a note', async () => {
    const { status, body } = await get('/search?q=bowers', { cards: { wikipedia: down, dictionary: down } })
    expect(status).toBe(200)
    expect(body).toContain('Bowers &amp; nests')
    expect(cardIn(body)).toBe('')
    expect(body).not.toContain('class="partial"')
  })

  it('readers who turn cards off still get answers, and no card provider is called', async () => {
    const asked: string[] = []
    const cards = {
      get dictionary() {
        asked.push('dictionary')
        return dictionary
      },
    }
    const stage = await openAnswerBox({ cards })
    const browser = stage.browser()
    browser.cookies.set('bowerbird_preferences', 'cards=off')
    const { body } = await browser.get('/search?q=2%2B2')
    expect(cardIn(body)).toBe('')
    expect(answerIn(body)).toContain('>4</p>')
    expect(asked).toEqual([])
    expect(cardIn((await stage.browser().get('/search?q=2%2B2')).body)).toContain('bower')
    expect(asked).toEqual(['dictionary'])
  })

  it('a source that hangs delays the results only briefly', async () => {
    const answers = telling(() => never)
    const { body, ms } = await passUntilDone(get('/search?q=tell+me', { answers, cards: { wikipedia: never } }))
    expect(body).toContain('Bowers &amp; nests')
    expect(body).toContain('This query has an instant answer')
    expect(ms).toBeLessThan(3_000)
  })

  it('a bug in showing a card costs only the card', async () => {
    const { status, body } = await get('/search?q=bowers', { cards: { book: { title: 'only a title' } } })
    expect(status).toBe(200)
    expect(body).toContain('Bowers &amp; nests')
    expect(cardIn(body)).toBe('')
  })

  it('a fact of the card is the answer to a question about it, with no card for another thing', async () => {
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
    const { body } = await get('/search?q=eiffel+tower+height', { cards: { wikipedia } })
    expect(answerIn(body)).toContain('>330 m</p>')
    expect(answerIn(body)).toContain('Wikipedia contributors')
    expect(cardIn(body)).toContain('Eiffel Tower')
    const other = await get('/search?q=who+wrote+the+eiffel+tower', { cards: { wikipedia } })
    expect(answerIn(other.body)).toBe('')
    expect(cardIn(other.body)).toBe('')
  })

  it('no-store: a page with a random or personal answer', async () => {
    const personal = await get('/search?q=random+password+20', {})
    expect(personal.headers['cache-control']).toBe('no-store')
    const alone = await get('/search?q=random+password+20', {
      engines: { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } },
    })
    expect(alone.headers['cache-control']).toBe('no-store')
    const plain = await get('/search?q=2%2B2', {})
    expect(plain.headers['cache-control']).toBe('private, no-cache')
  })

  it('the answer is about the reader’s own address', async () => {
    const { body } = await get('/search?q=what+is+my+ip', {})
    expect(answerIn(body)).toContain('>127.0.0.1</p>')
  })

  it('an answer is escaped, however long', async () => {
    const text = `<img src=x onerror=alert(1)>" ${'a'.repeat(20_000)}`
    const { body } = await get('/search?q=tell+me', { answers: telling(async () => ({ text })) })
    expect(answerIn(body)).toContain('&lt;img src=x')
    expect(answerIn(body)).not.toContain('<img')
    expect(answerIn(body).length).toBeLessThan(30_000)
  })

  describe('for a reader who wants answers without searching', () => {
    // The page would be a 503 if an engine were asked.
    const engines = { brave: { fails: 'timeout' }, mojeek: { fails: 'timeout' } } as const
    const open = async (path: string) => {
      const stage = await openAnswerBox({ engines, sayings: {} })
      const browser = stage.browser()
      browser.cookies.set('bowerbird_preferences', 'answers_first=on')
      return browser.get(path)
    }

    it('is all there is, with a link to results', async () => {
      const { status, body, headers } = await open('/search?q=2%2B2&date=w')
      expect(status).toBe(200)
      expect(answerIn(body)).toContain('>4</p>')
      expect(body).toContain('<a href="/search?q=2%2B2&amp;date=w&amp;results=on">Search the web for “2+2”</a>')
      expect(headers['cache-control']).toBe('private, no-cache')
      expect((await open('/search?q=random+password+20')).headers['cache-control']).toBe('no-store')
    })

    it.each([
      ['results are wanted', 'q=2%2B2&results=on'],
      ['there is no answer', 'q=bowers'],
      ['the answer would need a source', 'q=weather+in+paris'],
      ['it is about one site', 'q=2%2B2+site%3Aexample.com'],
      ['it is another page', 'q=2%2B2&page=2'],
      ['it is another tab', 'q=2%2B2&tab=news'],
    ])('engines are asked if %s', async (_, query) => {
      expect((await open(`/search?${query}`)).status).toBe(503)
    })
  })
})
