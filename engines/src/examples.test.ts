// What each engine sends and reads, by example. What all of them must do is in engine-rules.test.ts and
// reply-rules.test.ts.
import { describe, expect, it } from 'vitest'
import { EVERY_READING } from '../test/engine-cases.ts'
import { ANY } from '../test/engine-query.ts'
import { type Example, readExamples, runExamples, type Subject } from '../test/examples.ts'
import { ALL_ENGINES } from './all.ts'
import { DOCUMENT_ENGINES } from './documents/all.ts'
import type { Engine, EngineQuery, Tab } from './engine.ts'

/** Moments in examples are texts: `2026-11-01`. */
const MOMENTS = /^(?:dateFrom|dateTo|now|publishedAt)$/

const queryOf = ({ asked }: Example): EngineQuery => {
  const changes = Object.entries(asked ?? {}).map(([name, value]) => [
    name,
    MOMENTS.test(name) ? Date.parse(`${value}`) : value,
  ])
  return { ...ANY, ...Object.fromEntries(changes) }
}

/** A hit as examples have it: without its empty members. */
const toExample = (hit: object) => {
  const members = Object.entries(hit).map(([name, value]) => [
    name,
    MOMENTS.test(name) && value ? new Date(value).toISOString().replace('.000Z', 'Z') : value,
  ])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== '' && value.length !== 0))
}

const settingsOf = ({ settings }: Engine, { settings: own }: Example) => {
  const values = Object.entries(settings).map(([name, { isSecret, fallback }]) => [
    name,
    isSecret ? 'key' : fallback || 'house',
  ])
  const addresses = { baseUrl: 'http://service:8000', linkUrl: 'https://service.example/home' }
  return { ...Object.fromEntries(values), ...addresses, ...own }
}

function subjectOf(engine: Engine, part: string): Subject {
  const { suggest, tabs } = engine
  if (part === 'suggest' && suggest)
    return {
      request: (example) => suggest.request(queryOf(example), settingsOf(engine, example)),
      read: (reply) => suggest.parse(reply),
    }
  const tab = tabs[part as Tab] ?? expect.unreachable(`${engine.slug} has no ${part}`)
  return {
    request: (example) => tab.request(queryOf(example), settingsOf(engine, example)),
    read: (reply, example) => {
      const { hits, correction } = tab.parse(reply, queryOf(example), settingsOf(engine, example))
      return correction === '' ? hits.map(toExample) : { correction, hits: hits.map(toExample) }
    },
  }
}

const PARTS = ALL_ENGINES.flatMap((engine) =>
  Object.entries(readExamples('engines', engine.slug)).map(([part, examples]) => ({ engine, part, examples })),
)

describe.each(PARTS)('$engine.slug $part', ({ engine, part, examples }) => {
  runExamples(examples, subjectOf(engine, part), 'engines', engine.tierOf ?? engine.slug)
})

it('every adapter has an example of a request', () => {
  const shown = PARTS.filter(({ examples }) => examples.some(({ sends }) => sends)).map(({ engine }) => engine)
  const adapters = ALL_ENGINES.filter((engine) => !DOCUMENT_ENGINES.includes(engine))
  expect(adapters.filter((engine) => !shown.includes(engine)).map(({ slug }) => slug)).toEqual([])
})

it('every tab has an example of what its good page is read as', () => {
  const shown = PARTS.flatMap(({ engine, examples }) =>
    examples.flatMap(({ reply, reads }) => (reads ? `${engine.slug}-${reply}` : [])),
  )
  const pages = EVERY_READING.map(({ fixture }) => `${fixture}-page`)
  expect(pages.filter((page) => !shown.includes(page))).toEqual([])
})
