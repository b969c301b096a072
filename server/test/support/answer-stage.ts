// All instant answers as an instance has them, with everything that changes from run to run held still: the clock, the
// randomness, and the caller. Their sources are the sandbox's, asked over real HTTP through the real
// `compose-sources.ts`.
import { startSandbox } from '@bowerbird/sandbox'
import { pino } from 'pino'
import { ALL_ANSWERS } from '../../src/answers/all.ts'
import type { Answer, AnswerClient, AnswerPoint } from '../../src/answers/answer.ts'
import { createAnswers, type GivenAnswer } from '../../src/answers/answers.ts'
import { composeSources } from '../../src/app/compose-sources.ts'
import { readConfiguration, requireConfiguration } from '../../src/app/configuration.ts'
import { createResponseCache } from '../../src/cache/response-cache.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createUpstreamRateLimits } from '../../src/limits/upstream-rate-limit.ts'
import { createTranslate } from '../../src/translate/translate.ts'
import { createDeadline } from '../../src/upstream/deadline.ts'

export interface StageQuestion {
  q: string
  lang?: string
  client?: Partial<AnswerClient>
  zone?: string
  point?: AnswerPoint
}

export interface AnswerStage {
  /** The same question gets the same answer, whatever was asked before. */
  ask: (asked: StageQuestion) => Promise<GivenAnswer | null>
  /** What one answer alone would say. */
  askOnly: (slug: string, asked: { q: string; lang?: string }) => Promise<GivenAnswer | null>
  /** Errors since the last time this was asked: those that an answer threw and that cost its answer only. */
  takeBugs: () => string[]
  close: () => Promise<void>
}

/** A Sunday. */
const STAGE_NOW = Date.parse('2026-11-15T12:00:00Z')

const STAGE_CLIENT: AnswerClient = {
  ip: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
}

const LONGEST_MS = 10_000

export async function openAnswerStage(): Promise<AnswerStage> {
  const clock = () => STAGE_NOW
  const sandbox = await startSandbox({ now: clock })
  const configuration = requireConfiguration(readConfiguration(sandboxSettings((slug) => sandbox.urlOf(slug))))
  const bugs: string[] = []
  const log = pino({ level: 'error', base: null }, { write: (line: string) => void bugs.push(line) })
  const room = composeSources(configuration, {
    ledger: { count: () => undefined },
    budgetOf: () => undefined,
    rateLimitOf: createUpstreamRateLimits({ redis: undefined }),
    cache: createResponseCache({ shared: undefined, clock, maxAgeSeconds: 86_400, log }),
    observe: () => undefined,
    clock,
    log,
  })
  const startDeadline = () => createDeadline(LONGEST_MS)
  const { translateIfOffered } = createTranslate({ find: room.find, maxCharacters: 500, startDeadline })
  let state = 0
  const offer = (answers: readonly Answer[]) =>
    createAnswers({
      answers,
      find: room.find,
      translate: translateIfOffered,
      startDeadline,
      clock,
      random(below) {
        state += 1
        return Math.floor(chance(state) * below)
      },
      log,
    })
  const all = offer(ALL_ANSWERS)
  const alone = new Map(ALL_ANSWERS.map((answer) => [answer.slug, offer([answer])]))
  return {
    ask({ q, lang = '', client, zone, point }) {
      state = 0
      return all.answer({ text: q, lang, client: { ...STAGE_CLIENT, ...client }, zone, point })
    },
    async askOnly(slug, { q, lang = '' }) {
      state = 0
      return (await alone.get(slug)?.answer({ text: q, lang, client: STAGE_CLIENT })) ?? null
    },
    takeBugs: () => bugs.splice(0),
    async close() {
      await room.closeClients()
      await sandbox.close()
    },
  }
}

/** The nth of a row of fractions that look random and never change. */
function chance(n: number): number {
  let mixed = Math.imul(n, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}
