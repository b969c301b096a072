import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AnswerContext, type AnswerPoint, defineAnswer } from './answer.ts'
import { createAnswers } from './answers.ts'

const client = { ip: '203.0.113.7' }

/** Sets up an answer to every query that reads what `look` reads, and counts how often it is asked. */
function stage(look: (context: AnswerContext) => unknown, isPersonal = false) {
  const reported: string[] = []
  let calls = 0
  const answer = defineAnswer({
    slug: 'counted',
    title: 'Counted',
    summary: 'Counts.',
    examples: [{ q: 'x' }],
    isPersonal,
    reply: z.object({ times: z.int() }),
    match: () => ({ any: true }),
    async answer(_match, context) {
      calls += 1
      await look(context)
      return { text: `answer ${calls}`, times: calls }
    },
  })
  const answers = createAnswers({
    answers: [answer],
    find: () => undefined,
    translate: undefined,
    startDeadline: () => createDeadline(1_000),
    clock: () => 10_000,
    random: () => 0,
    onError({ slug }, error) {
      if (error instanceof UpstreamError) throw error
      reported.push(slug)
    },
  })
  return {
    calls: () => calls,
    reported,
    ask: (point?: AnswerPoint) => answers.answer({ text: 'x', lang: '', client, point }),
  }
}

describe('an answer', () => {
  it('reports whether it used the time zone', async () => {
    const looking = stage(({ zone }) => zone)
    const blind = stage(({ question }) => question.text)
    expect([(await looking.ask())?.usesZone, (await blind.ask())?.usesZone]).toEqual([true, false])
  })

  it('is personal if declared so, or if it used the location of the client', async () => {
    const here = { latitude: 52.5, longitude: 13.4 }
    const looking = stage(({ point }) => point?.latitude ?? 'nowhere')
    expect([(await looking.ask())?.isPersonal, (await looking.ask(here))?.isPersonal]).toEqual([false, true])
    expect((await stage(() => undefined).ask(here))?.isPersonal).toBe(false)
    expect((await stage(() => undefined, true).ask())?.isPersonal).toBe(true)
  })

  it('that throws is reported and skipped, and tried again next time', async () => {
    const { ask, calls, reported } = stage(() => {
      throw new Error('a bug')
    })
    expect([await ask(), await ask()]).toEqual([null, null])
    expect([calls(), reported]).toEqual([2, ['counted', 'counted']])
  })

  it('whose source fails is an error, and is tried again next time', async () => {
    const { ask, calls } = stage(() => {
      throw new UpstreamError('timeout', 'too slow')
    })
    await expect(ask()).rejects.toMatchObject({ kind: 'timeout' })
    await expect(ask()).rejects.toMatchObject({ kind: 'timeout' })
    expect(calls()).toBe(2)
  })
})

it('an answer whose match function throws is reported and skipped; the others are still tried', async () => {
  const reported: string[] = []
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
    onError: ({ slug }) => void reported.push(slug),
  })
  expect((await answers.answer({ text: 'x', lang: '', client }))?.answer.text).toBe('sound')
  expect(reported).toEqual(['broken'])
})
