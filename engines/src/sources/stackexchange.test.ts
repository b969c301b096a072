import { describe, expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { stackAnswers, stackexchange, stackQuestions } from './stackexchange.ts'

const asked = { query: { text: 'reverse a list' }, now: 0 }
const askedAnswers = { query: { questionId: 10 }, now: 0 }
const reply = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const answerWith = (body: string) =>
  stackAnswers.parse(reply({ items: [{ answer_id: 1, body }] }), askedAnswers).answers[0]

describe('stack exchange', () => {
  it('asks for answered questions on Stack Overflow, with the key if there is one', () => {
    const path =
      '/2.3/search/advanced?site=stackoverflow&q=a%20%26%20b&sort=relevance&order=desc' +
      '&accepted=True&answers=1&pagesize=5'
    expect(stackQuestions.request({ text: 'a & b' }, { baseUrl: '', apiKey: '' }).path).toBe(path)
    expect(stackQuestions.request({ text: 'a & b' }, { baseUrl: '', apiKey: 'K' }).path).toBe(`${path}&key=K`)
    expect(stackAnswers.request({ questionId: 10 }, { baseUrl: '', apiKey: '' }).path).toBe(
      '/2.3/questions/10/answers?site=stackoverflow&order=desc&sort=votes&pagesize=5&filter=withbody',
    )
    expect(stackexchange.settings.apiKey.fallback).toBe('')
  })

  it('gives questions as plain text, and says how long to stay away', () => {
    const found = stackQuestions.parse(readFixture('stackexchange-questions', 'sources'), asked)
    expect(found).toEqual({
      questions: [
        {
          id: 10,
          title: 'How do I reverse a list called "x" in <Python>?',
          url: 'https://stackoverflow.com/questions/10/reverse-a-list',
          tags: ['python', 'list'],
          score: 5,
          acceptedAnswerId: 11,
          askedAt: 1_760_000_000_000,
        },
      ],
      notBefore: 10_000,
    })
    expect(stackQuestions.schema.parse(found)).toEqual(found)
  })

  it('gives answers as plain text, code with its lines', () => {
    const found = stackAnswers.parse(readFixture('stackexchange-answers', 'sources'), askedAnswers)
    expect(found.answers).toEqual([
      {
        id: 11,
        isAccepted: true,
        score: 7,
        text: 'Use reversed: It copies nothing.',
        code: 'for x in reversed(items):\n    if x < 3:\n    print(x)',
        author: 'Grace & Co',
        licence: 'CC BY-SA 4.0',
      },
      { id: 12, isAccepted: false, score: -1, text: 'Or a slice.', code: '', author: '', licence: 'CC BY-SA 3.0' },
    ])
    expect(stackAnswers.schema.parse(found)).toEqual(found)
  })

  it('no markup comes through, not even from code', () => {
    expect(answerWith('<pre><code><span onclick="x">a</span>\n  <b>b</b>\n</code></pre>')).toMatchObject({
      code: 'a\n  b',
      text: '',
    })
    expect(answerWith('<pre>never closed')).toMatchObject({ code: '', text: 'never closed' })
  })

  it('long code is cut, and a hostile body takes no time', () => {
    expect(answerWith(`<pre>${'x\n'.repeat(100)}</pre>`)?.code.split('\n')).toHaveLength(41)
    const spentMs = startCpuTimer()
    answerWith('<pre'.repeat(300_000))
    expect(spentMs()).toBeLessThan(1_000)
  })

  it('nothing found is an answer', () => {
    expect(stackQuestions.parse(reply({ items: [], has_more: false }), asked).questions).toEqual([])
  })

  it('400 with error 502 is throttled, with the time it names', () => {
    const body = {
      error_id: 502,
      error_message: 'too many requests from this IP, more requests available in 82311 seconds',
      error_name: 'throttle_violation',
    }
    expect(() => stackQuestions.parse(reply(body, 400), asked)).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 82_311 }),
    )
    expect(() => stackQuestions.parse(reply({ error_id: 400, error_name: 'bad_parameter' }, 400), asked)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })

  it.each([
    ['a web page', '<html>'],
    ['nothing', ''],
    ['half a reply', '{"items":[{"tags"'],
    ['no items', {}],
    ['items of a wrong type', { items: 'not a list' }],
    ['items that cannot be read', { items: [{ question_id: 'seven', answer_id: 'seven', title: 7, body: 7 }] }],
  ])('malformed: %s', (_what, body) => {
    const malformed = expect.objectContaining({ kind: 'malformed' })
    expect(() => stackQuestions.parse(reply(body), asked)).toThrow(malformed)
    expect(() => stackAnswers.parse(reply(body), askedAnswers)).toThrow(malformed)
  })

  it.each([
    [403, 'blocked'],
    [500, 'unreachable'],
    [400, 'rejected'],
  ])('status %i without a word is %s', (status, kind) => {
    expect(() => stackAnswers.parse(reply('', status), askedAnswers)).toThrow(expect.objectContaining({ kind }))
  })
})
