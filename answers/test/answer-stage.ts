// All instant answers as in an instance, but with a fixed clock, fixed randomness and a fixed client. Their sources are
// the sandbox's, queried over real HTTP.
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { ProviderReply } from '@bowerbird/engines/engine.ts'
import type { BoundSource, FindSource, Source, SourceSettings } from '@bowerbird/engines/source.ts'
import {
  libretranslate,
  libretranslateLanguages,
  libretranslateTranslation,
} from '@bowerbird/engines/sources/libretranslate.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { SANDBOX_KEYS, type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { ALL_ANSWERS } from '../src/all.ts'
import type { Answer, AnswerClient, AnswerContext, AnswerPoint } from '../src/answer.ts'
import { createAnswers, type GivenAnswer } from '../src/answers.ts'

export interface StageQuestion {
  q: string
  lang?: string
  client?: AnswerClient
  zone?: string
  point?: AnswerPoint
}

export interface AnswerStage {
  /** The same question always gets the same answer, regardless of earlier ones. */
  ask: (asked: StageQuestion) => Promise<GivenAnswer | null>
  /** Asks one answer alone. */
  askOnly: (slug: string, asked: { q: string; lang?: string }) => Promise<GivenAnswer | null>
  /** Returns and clears the errors that answers threw, other than failures of a source. */
  takeBugs: () => string[]
  close: () => Promise<void>
}

/** A Sunday. */
const STAGE_NOW = Date.parse('2026-11-15T12:00:00Z')

const STAGE_CLIENT: AnswerClient = { ip: '203.0.113.7' }

const LONGEST_MS = 10_000
/** Wikimedia refuses clients without a contact address. */
const USER_AGENT = 'Bowerbird-tests/1.0 (operator@example.org)'

export async function openAnswerStage(): Promise<AnswerStage> {
  const clock = () => STAGE_NOW
  const sandbox = await startSandbox({ now: clock })
  const find = sourcesOf(sandbox)
  const bugs: string[] = []
  let state = 0
  const offer = (answers: readonly Answer[]) =>
    createAnswers({
      answers,
      find,
      translate: translateWith(find),
      startDeadline: () => createDeadline(LONGEST_MS),
      clock,
      random(below) {
        state += 1
        return Math.floor(chance(state) * below)
      },
      onError({ slug }, error) {
        if (error instanceof UpstreamError) throw error
        bugs.push(`${slug}: ${String(error)}`)
      },
    })
  const all = offer(ALL_ANSWERS)
  const alone = new Map(ALL_ANSWERS.map((answer) => [answer.slug, offer([answer])]))
  return {
    ask({ q, lang = '', client = STAGE_CLIENT, zone, point }) {
      state = 0
      return all.answer({ text: q, lang, client, zone, point })
    },
    async askOnly(slug, { q, lang = '' }) {
      state = 0
      return (await alone.get(slug)?.answer({ text: q, lang, client: STAGE_CLIENT })) ?? null
    },
    takeBugs: () => bugs.splice(0),
    close: () => sandbox.close(),
  }
}

/** Sends each call to the sandbox. Caches replies, because the rows of a table need the same few. */
function sourcesOf(sandbox: Sandbox): FindSource {
  const replies = new Map<string, Promise<ProviderReply>>()
  return <Settings extends SourceSettings>(source: Source<Settings>): BoundSource<Settings> => ({
    source,
    async ask(call, query) {
      const base = sandbox.urlOf(source.slug)
      const values = Object.entries(source.settings).map(([name, { isSecret, fallback }]) => {
        if (name === 'baseUrl') return [name, base]
        return [name, isSecret ? SANDBOX_KEYS[source.slug] : fallback]
      })
      const { edition, path, method = 'GET', headers = {}, body } = call.request(query, Object.fromEntries(values))
      const address = (edition === undefined ? base : (source.addressOf?.(base, edition) ?? base)) + path
      const name = JSON.stringify([address, method, body])
      const reply =
        replies.get(name) ??
        send(address, { method, headers: { 'user-agent': USER_AGENT, ...headers }, body: body ?? null })
      replies.set(name, reply)
      return { found: call.parse(await reply, { query, now: STAGE_NOW }), isStale: false, ageMs: 0 }
    },
  })
}

async function send(address: string, init: RequestInit): Promise<ProviderReply> {
  const reply = await fetch(address, init)
  return { status: reply.status, headers: Object.fromEntries(reply.headers), body: await reply.text() }
}

const translateWith =
  (find: FindSource): AnswerContext['translate'] =>
  async ({ text, target, source = 'auto' }) => {
    const bound = find(libretranslate)
    const deadline = createDeadline(LONGEST_MS)
    try {
      const languages = (await bound?.ask(libretranslateLanguages, null, deadline))?.found ?? []
      if (!languages.some(({ code }) => code === target)) return null
      const order = { text, source, target, isPairSupported: true }
      const translation = await bound?.ask(libretranslateTranslation, order, deadline)
      return translation ? { text: translation.found.text, source: translation.found.detected || source, target } : null
    } finally {
      deadline.cancel()
    }
  }

/** The nth of a fixed sequence of pseudorandom fractions. */
function chance(n: number): number {
  let mixed = Math.imul(n, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
}
