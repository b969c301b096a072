import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UpstreamError } from '../errors.ts'
import { createDeadline } from '../upstream/deadline.ts'
import { type AnswerContext, defineAnswer } from './answer.ts'
import { createAnswers } from './answers.ts'

const client = { ip: '203.0.113.7', userAgent: '' }

/** An answer to everything, which looks at what it is told to and counts how often it is asked. */
function stage(look: (context: AnswerContext) => unknown, isPersonal = false) {
  const log: string[] = []
  const calls = { match: 0, answer: 0 }
  let now = 10_000
  const answer = defineAnswer({
    slug: 'counted',
    title: 'Counted',
    summary: 'Counts.',
    examples: [{ q: 'x' }],
    isPersonal,
    reply: z.object({ times: z.int() }),
    match() {
      calls.match += 1
      return { any: true }
    },
    async answer(_match, context) {
      calls.answer += 1
      return (await look(context)) === null ? null : { text: `answer ${calls.answer}`, times: calls.answer }
    },
  })
  const answers = createAnswers({
    answers: [answer],
    find: () => undefined,
    translate: undefined,
    startDeadline: () => createDeadline(1_000),
    clock: () => now,
    random: () => 0,
    log: pino({ level: 'error' }, { write: (line: string) => void log.push(line) }),
  })
  return {
    calls,
    log,
    pass: (ms: number) => {
      now += ms
    },
    ask: async (text = 'x', lang = '', zone?: string) =>
      (await answers.answer({ text, lang, client, zone }))?.answer.text ?? null,
  }
}

describe('an answer', () => {
  it('that looks at its question alone is worked out once', async () => {
    const { ask, calls, pass } = stage(({ question }) => question.text)
    expect([await ask(), await ask()]).toEqual(['answer 1', 'answer 1'])
    pass(1e9)
    expect(await ask()).toBe('answer 1')
    expect(calls).toEqual({ match: 1, answer: 1 })
  })

  it('is kept for its very words and language', async () => {
    const { ask, calls } = stage(() => undefined)
    for (const [text, lang] of [
      ['x', ''],
      ['x ', ''],
      ['X', ''],
      ['x', 'de'],
      ['x', ''],
    ])
      await ask(text, lang)
    expect(calls.answer).toBe(4)
  })

  it('that looks at the clock is the same until the second is over', async () => {
    const { ask, pass } = stage(({ now }) => now)
    const first = await ask()
    pass(999)
    expect(await ask()).toBe(first)
    pass(1)
    expect(await ask()).not.toBe(first)
  })

  it('that looks at the time zone is kept for that zone, and says so', async () => {
    const { ask, calls } = stage(({ zone }) => zone)
    const zones = [undefined, 'Europe/Berlin', 'Asia/Tokyo', undefined, 'Europe/Berlin', 'Asia/Tokyo']
    const given: (string | null)[] = []
    for (const zone of zones) given.push(await ask('x', '', zone))
    expect(given).toEqual(['answer 1', 'answer 2', 'answer 3', 'answer 1', 'answer 2', 'answer 3'])
    expect(calls.answer).toBe(3)
  })

  it('that does not look at the time zone is the same in all of them', async () => {
    const { ask, calls } = stage(({ question }) => question.text)
    expect([await ask('x', '', 'Asia/Tokyo'), await ask(), await ask('x', '', 'Europe/Berlin')]).toEqual(
      Array(3).fill('answer 1'),
    )
    expect(calls.answer).toBe(1)
  })

  it.each(['random', 'client', 'point', 'find', 'translate', 'deadline'] as const)(
    'that looks at %s is never kept',
    async (name) => {
      const { ask } = stage((context) => {
        void context[name]
      })
      expect([await ask(), await ask()]).toEqual(['answer 1', 'answer 2'])
    },
  )

  it('that is personal is never kept', async () => {
    const { ask } = stage(() => undefined, true)
    expect([await ask(), await ask()]).toEqual(['answer 1', 'answer 2'])
  })

  it('that has nothing to say is not asked again', async () => {
    const { ask, calls } = stage(() => null)
    expect([await ask(), await ask()]).toEqual([null, null])
    expect(calls).toEqual({ match: 1, answer: 1 })
  })

  it('that fails is logged, costs only itself, and is asked again', async () => {
    const { ask, calls, log } = stage(() => {
      throw new Error('a bug')
    })
    expect([await ask(), await ask()]).toEqual([null, null])
    expect([calls.answer, log.length]).toEqual([2, 2])
  })

  it('whose source fails is a refusal, and is asked again', async () => {
    const { ask, calls } = stage(() => {
      throw new UpstreamError('timeout', 'too slow')
    })
    await expect(ask()).rejects.toMatchObject({ status: 503 })
    await expect(ask()).rejects.toMatchObject({ status: 503 })
    expect(calls.answer).toBe(2)
  })
})

it('a bug in recognising a query costs the answer that has it, and nobody else', async () => {
  const log: string[] = []
  const shape = { title: 'T', summary: 'S.', examples: [{ q: 'x' }] as const, reply: z.object({ times: z.int() }) }
  const broken = defineAnswer({
    ...shape,
    slug: 'broken',
    match(): null {
      throw new TypeError('a bug')
    },
    answer: () => null,
  })
  const sound = defineAnswer({
    ...shape,
    slug: 'sound',
    match: () => ({}),
    answer: () => ({ text: 'sound', times: 1 }),
  })
  const answers = createAnswers({
    answers: [broken, sound],
    find: () => undefined,
    translate: undefined,
    startDeadline: () => createDeadline(1_000),
    clock: () => 0,
    random: () => 0,
    log: pino({ level: 'error' }, { write: (line: string) => void log.push(line) }),
  })
  expect((await answers.answer({ text: 'x', lang: '', client }))?.answer.text).toBe('sound')
  expect(log.join('')).toContain('"answer":"broken"')
})
