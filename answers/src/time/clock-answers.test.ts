// Properties of the answers about clocks and business days that hold for all of them, against counting step by step.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer, AnswerContext } from '../answer.ts'
import { readQuestion } from '../question.ts'
import { businessDays } from './business-days.ts'
import { clockSum } from './clock-sum.ts'

const DAY_MS = 86_400_000

async function ask(answer: Answer, q: string): Promise<Record<string, unknown>> {
  const question = readQuestion(q, 'en')
  const match = question && answer.match(question)
  // These only use the question, the clock and the zone.
  const context = { question, now: Date.UTC(2026, 10, 15), zone: undefined } as AnswerContext
  const told = match ? await answer.answer(match, context) : null
  if (!told) throw new Error(`${q} is not answered`)
  return told
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const isBusinessDay = (ms: number): boolean => ![0, 6].includes(new Date(ms).getUTCDay())
const days = fc.integer({ min: 0, max: 20_000 }).map((count) => Date.UTC(2000, 0, 1) + count * DAY_MS)

describe('business days', () => {
  it('between two dates are as many as are counted one by one', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 0, max: 400 }), async (start, length) => {
        const counted = Array.from({ length: length + 1 }, (_, index) => start + index * DAY_MS).filter(isBusinessDay)
        const q = `business days between ${dateOf(start)} and ${dateOf(start + length * DAY_MS)}`
        expect(await ask(businessDays, q)).toMatchObject({ days: counted.length })
      }),
    )
  })

  it('after a date end on the day that counting one by one reaches', async () => {
    await fc.assert(
      fc.asyncProperty(days, fc.integer({ min: 1, max: 200 }), async (start, count) => {
        let day = start
        for (let left = count; left > 0; left -= isBusinessDay(day) ? 1 : 0) day += DAY_MS
        expect(await ask(businessDays, `${count} business days after ${dateOf(start)}`)).toMatchObject({
          end: dateOf(day),
        })
      }),
    )
  })
})

describe('clock sums', () => {
  const length = fc.record({ hours: fc.integer({ min: 0, max: 999 }), minutes: fc.integer({ min: 0, max: 59 }) })
  const written = ({ hours, minutes }: { hours: number; minutes: number }) =>
    `${hours}:${String(minutes).padStart(2, '0')}`

  it('are the sum of the minutes, and subtracting undoes adding', async () => {
    await fc.assert(
      fc.asyncProperty(length, length, async (one, other) => {
        const minutes = (one.hours + other.hours) * 60 + one.minutes + other.minutes
        const sum = await ask(clockSum, `${written(one)} + ${written(other)}`)
        expect(sum).toMatchObject({
          seconds: minutes * 60,
          result: written({ hours: Math.floor(minutes / 60), minutes: minutes % 60 }),
        })
        expect(await ask(clockSum, `${written(one)} + ${written(other)} - ${written(other)}`)).toMatchObject({
          result: written(one),
        })
      }),
    )
  })

  it('from one time to another are the minutes that bring the clock there', async () => {
    const time = fc.record({ hours: fc.integer({ min: 0, max: 23 }), minutes: fc.integer({ min: 0, max: 59 }) })
    await fc.assert(
      fc.asyncProperty(time, time, async (from, to) => {
        fc.pre(written(from) !== written(to))
        const { seconds } = await ask(clockSum, `${written(from)} to ${written(to)}`)
        const later = await ask(clockSum, `${written(from)} + ${Number(seconds) / 60} minutes`)
        expect(later['seconds']).toBe((to.hours * 60 + to.minutes) * 60)
      }),
    )
  })
})
