// Runs examples: rows of JSON that say what is sent for what is asked, what is read in a reply, or why that fails. They are
// beside the replies, in `fixtures/<engines or sources>/<slug>/examples.json`; docs/contribute/add-an-engine.md explains them.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { EngineQuery, EngineRequest, EngineResponse, ProviderReply } from '../src/engine.ts'
import { UpstreamError } from '../src/upstream-error.ts'
import { ANY } from './engine-query.ts'
import { readFixture } from './read-fixture.ts'

type Members = Readonly<Record<string, unknown>>

export interface Example {
  /** What the row shows, as a sentence. */
  why?: string
  asked?: unknown
  settings?: Readonly<Record<string, string>>
  /** The members of the request that matter. `body` is read as JSON; of `parameters`, in the path or the body, only those named. */
  sends?: Members & { parameters?: Members }
  /** The name of a fixture, or what differs from a plain 200. */
  reply?: string | { fixture?: string; status?: number; headers?: Record<string, string>; body?: unknown }
  reads?: unknown
  /** Members of the UpstreamError. */
  fails?: Members
}

/** What the examples are about. */
export interface Subject {
  request: (example: Example) => EngineRequest
  read: (reply: ProviderReply, example: Example) => unknown
}

/** By tab, or by the name of a call; none if there is no file. `place` is a folder of fixtures: `engines/brave`. */
export function readExamples(place: string): Record<string, Example[]> {
  const file = new URL(`../fixtures/${place}/examples.json`, import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** The members of a value that an example names; null for what is not there. */
const pick = (value: object, named: Members): Members =>
  Object.fromEntries(Object.keys(named).map((name) => [name, Reflect.get(value, name) ?? null]))

/** Moments in examples are texts: `2026-11-01`. */
const MOMENTS = /^(?:dateFrom|dateTo|now|publishedAt)$/

/** What is asked of an engine. */
export const toQuery = ({ asked }: Example): EngineQuery => {
  const changes = Object.entries(asked ?? {}).map(([name, value]) => [
    name,
    MOMENTS.test(name) ? Date.parse(`${value}`) : value,
  ])
  return { ...ANY, ...Object.fromEntries(changes) }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

const describeHit = (hit: object): Members => {
  const members = Object.entries(hit).filter(([name, value]) => name !== 'kind' && !isEmpty(value))
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      MOMENTS.test(name) ? new Date(value).toISOString().replace('.000Z', 'Z') : value,
    ]),
  )
}

/** A page as examples have it: every hit without its kind and its empty members, and the correction if there is one. */
export const describePage = ({ hits, correction }: EngineResponse<object>): unknown =>
  correction === '' ? hits.map(describeHit) : { correction, hits: hits.map(describeHit) }

const parseBody = (body = ''): unknown => (/^[[{]/.test(body) ? JSON.parse(body) : body)

const describeRequest = (request: EngineRequest, sends: NonNullable<Example['sends']>): Members => {
  const body = parseBody(request.body)
  const inPath = Object.fromEntries(new URL(request.path, 'https://provider.example').searchParams)
  const parameters = pick({ ...inPath, ...(typeof body === 'object' && body) }, sends.parameters ?? {})
  return pick({ method: 'GET', ...request, body, parameters }, sends)
}

const toReply = (reply: NonNullable<Example['reply']>, place: string): ProviderReply => {
  const { fixture, body = '', ...changes } = typeof reply === 'string' ? { fixture: reply } : reply
  const [folder, slug] = place.split('/')
  if (fixture !== undefined) return { ...readFixture(`${slug}-${fixture}`, folder), ...changes }
  return { status: 200, headers: {}, ...changes, body: typeof body === 'string' ? body : JSON.stringify(body) }
}

const errorFrom = (act: () => unknown): object => {
  try {
    return { kind: `none, but ${JSON.stringify(act())}` }
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}

const shorten = (value: unknown): string => JSON.stringify(value ?? {}).slice(0, 120)

const titleOf = ({ why, asked, reply, sends, fails }: Example): string => {
  if (sends) return `${why ?? 'it sends what is documented'}: ${shorten(asked)} as ${shorten(sends)}`
  return `${why ?? 'it reads what is documented'}: ${shorten(reply ?? asked)}${fails ? ` as ${shorten(fails)}` : ''}`
}

/** One test for each row. To be called where tests are described. */
export function runExamples(examples: readonly Example[], subject: Subject, place: string): void {
  for (const example of examples) {
    const { sends, reply, reads, fails } = example
    const act = () => (reply === undefined ? subject.request(example) : subject.read(toReply(reply, place), example))
    it(titleOf(example), () => {
      if (sends) expect(describeRequest(subject.request(example), sends)).toEqual(sends)
      else if (fails) expect(pick(errorFrom(act), fails)).toEqual(fails)
      else expect(act()).toEqual(reads)
    })
  }
}
