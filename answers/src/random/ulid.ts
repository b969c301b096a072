// New ULIDs (`generate ulid`), and the time in an existing one (`decode ulid 01ARZ3…`). Bare `ulid` and `ulid vs uuid`
// are ordinary searches and stay unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const VERB = '(?:(?:generate|create|make|new|random|get|give me)\\s+)?(?:(?:an?|new|random)\\s+){0,2}'
const NEW = new RegExp(`^${VERB}(?:(\\d{1,2})\\s+)?ulids?(?:\\s+(?:generator|generate|random|new))?$`)
const READ = /^(?:decode|parse|read|time of|timestamp of|date of)?\s?ulid:?\s+([0-7][\da-hjkmnp-tv-z]{25})$/
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const MAX_ULIDS = 10
const TIME_LENGTH = 10
const RANDOM_LENGTH = 16
const RADIX = 32

export const ulid = defineAnswer({
  slug: 'ulid',
  title: 'ULID generator and decoder',
  summary: 'New ULIDs, up to 10, and the creation time of a ULID.',
  examples: [{ q: 'generate ulid' }, { q: 'decode ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV' }],
  isPersonal: true,
  reply: z.object({
    ulids: z.array(z.string()),
    time: z.string().describe('When the first of them was created, in ISO 8601.'),
  }),
  match({ folded }) {
    if (!folded.includes('ulid')) return null
    const [, existing] = READ.exec(folded) ?? []
    if (existing !== undefined) return { wanted: 0, existing: existing.toUpperCase() }
    const [phrase, count = '1'] = NEW.exec(folded) ?? []
    // The bare word is a search about ULIDs.
    if (phrase === undefined || /^ulids?$/.test(phrase)) return null
    const wanted = Number(count)
    return wanted >= 1 && wanted <= MAX_ULIDS ? { wanted, existing: '' } : null
  },
  answer({ wanted, existing }, { now, random }) {
    if (existing) {
      const time = new Date(timeOf(existing)).toISOString()
      return { text: `${existing} was made on ${time}`, ulids: [existing], time }
    }
    const ulids = Array.from({ length: wanted }, () => timePart(now) + randomPart(random))
    return { text: ulids.join(', '), ulids, time: new Date(now).toISOString() }
  },
})

function timePart(now: number): string {
  let rest = now
  let text = ''
  for (let place = 0; place < TIME_LENGTH; place += 1) {
    text = CROCKFORD.charAt(rest % RADIX) + text
    rest = Math.floor(rest / RADIX)
  }
  return text
}

const randomPart = (random: (below: number) => number): string =>
  Array.from({ length: RANDOM_LENGTH }, () => CROCKFORD.charAt(random(RADIX))).join('')

/** At most 2^48 - 1 milliseconds, which a Date can hold. */
const timeOf = (ulid: string): number =>
  Array.from(ulid.slice(0, TIME_LENGTH)).reduce((time, letter) => time * RADIX + CROCKFORD.indexOf(letter), 0)
