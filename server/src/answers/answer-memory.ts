// Answers that are not worked out again. An answer that looked at nothing but its question is the same for everybody
// and for ever; one that also looked at the clock is the same until the second is over, and one that looked at the
// caller's time zone is the same for that zone. What looked at anything else (chance, the caller, where they are, a
// source) is never kept. Nobody has to declare which is which: the context notices what is looked at.
import { LRUCache } from 'lru-cache'
import type { AnswerContext } from './answer.ts'

interface Asked {
  text: string
  lang: string
  zone?: string | undefined
}

interface AnswerMemory<Given> {
  /** `undefined`: nothing is known. `null`: it is no question for an instant answer. */
  find: (asked: Asked, now: number) => Given | null | undefined
  keep: (asked: Asked, given: Given | null, used: Used) => void
}

/** What an answer looked at beside its question. */
export interface Used {
  /** The time it was told, if it asked. */
  clock: number | undefined
  usesZone: boolean
  /** The caller has said where they are, and it was looked at. */
  usesPoint: boolean
  /** Anything that another moment or another caller could find different. */
  world: boolean
}

interface Kept<Given> {
  given: Given | null
  until: number
}

const MOST = 2_000
const MOST_CHARACTERS = 2_000_000
/** Of an entry without any text. */
const OVERHEAD = 100
const SECOND = 1_000

export function createAnswerMemory<Given extends { isPersonal: boolean }>(): AnswerMemory<Given> {
  const memory = new LRUCache<string, Kept<Given>>({
    max: MOST,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ given }, key) => OVERHEAD + key.length + (given ? JSON.stringify(given).length : 0),
  })
  return {
    find(asked, now) {
      const kept = memory.get(keyOf(asked)) ?? memory.get(keyInZone(asked))
      return kept && kept.until > now ? kept.given : undefined
    },
    keep(asked, given, { clock, usesZone, world }) {
      if (world || given?.isPersonal) return
      const until = clock === undefined ? Number.POSITIVE_INFINITY : Math.floor(clock / SECOND) * SECOND + SECOND
      memory.set(usesZone ? keyInZone(asked) : keyOf(asked), { given, until })
    },
  }
}

const keyOf = ({ text, lang }: Asked): string => `${lang} ${text}`

/** No name of a zone and no query begins with a line feed, so that this is nobody's other key. */
const keyInZone = (asked: Asked): string => `\n${asked.zone ?? ''} ${keyOf(asked)}`

/** The same context, and a note of what was looked at. A deadline begins when it is first needed. */
export function watch(
  surroundings: Omit<AnswerContext, 'now' | 'deadline'>,
  { clock, startDeadline }: { clock: () => number; startDeadline: () => AnswerContext['deadline'] },
): { context: AnswerContext; used: Used; end: () => void } {
  const used: Used = { clock: undefined, usesZone: false, usesPoint: false, world: false }
  let deadline: AnswerContext['deadline'] | undefined
  const world = <Name extends keyof typeof surroundings>(name: Name): (typeof surroundings)[Name] => {
    used.world = true
    return surroundings[name]
  }
  const context: AnswerContext = {
    question: surroundings.question,
    get now() {
      used.clock ??= clock()
      return used.clock
    },
    get random() {
      return world('random')
    },
    get client() {
      return world('client')
    },
    get zone() {
      used.usesZone = true
      return surroundings.zone
    },
    get point() {
      used.usesPoint = surroundings.point !== undefined
      return world('point')
    },
    get find() {
      return world('find')
    },
    get translate() {
      return world('translate')
    },
    get deadline() {
      used.world = true
      deadline ??= startDeadline()
      return deadline
    },
  }
  return { context, used, end: () => deadline?.cancel() }
}
