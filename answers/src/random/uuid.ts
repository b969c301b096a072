// New UUIDs: `uuid`, `uuid v4`, `generate 5 uuids`, `uuid v7`. Random ones (version 4), unless the query asks for
// version 7, which begins with the time. `uuid java` and `uuid v4 vs v7` are ordinary searches and stay
// unanswered.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'

const VERB = '(?:(?:generate|create|make|new|random|get|give me)\\s+)?(?:(?:an?|new|random)\\s+){0,2}'
const VERSION = '(?:\\s?v(?:ersion\\s?)?([47])|\\s?([47]))?'
const PHRASE = new RegExp(
  `^${VERB}(?:(\\d{1,2})\\s+)?(?:random\\s+)?(?:uuid|guid)s?${VERSION}(?:\\s+(?:generator|generate|random|new))?$`,
)
const MAX_UUIDS = 10
const VERSION_4 = 4
const VERSION_7 = 7
const BYTE_VALUES = 256
const TIME_BYTES = 6

export const uuid = defineAnswer({
  slug: 'uuid',
  title: 'UUID generator',
  summary: 'New UUIDs, up to 10: random (version 4), or sorted by time (version 7).',
  examples: [{ q: 'generate uuid' }, { q: 'uuid v7' }, { q: 'generate 3 uuids' }],
  isPersonal: true,
  reply: z.object({ version: z.int(), uuids: z.array(z.string()) }),
  match({ folded }) {
    if (!folded.includes('uid')) return null
    const [phrase, count = '1', afterV, alone] = PHRASE.exec(folded) ?? []
    // These bare words are searches about UUIDs.
    if (phrase === undefined || /^(?:uuids|guids)$/.test(phrase)) return null
    const wanted = Number(count)
    return wanted >= 1 && wanted <= MAX_UUIDS
      ? { wanted, version: (afterV ?? alone) === '7' ? VERSION_7 : VERSION_4 }
      : null
  },
  answer({ wanted, version }, { now, random }) {
    const uuids = Array.from({ length: wanted }, () => newUuid(version, now, random))
    return { text: uuids.join(', '), version, uuids }
  },
})

/** RFC 9562. */
function newUuid(version: number, now: number, random: (below: number) => number): string {
  const bytes = Buffer.from(Array.from({ length: 16 }, () => random(BYTE_VALUES)))
  if (version === VERSION_7) bytes.writeUIntBE(now, 0, TIME_BYTES)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | (version << 4), 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
