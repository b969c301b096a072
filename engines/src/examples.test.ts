// What each engine sends and reads, by example. What all of them must do is in engine-rules.test.ts and
// reply-rules.test.ts.
import { describe, expect, it } from 'vitest'
import { EVERY_READING } from '../test/engine-cases.ts'
import { describePage, type Example, readExamples, runExamples, type Subject, toQuery } from '../test/examples.ts'
import { ALL_ENGINES } from './all.ts'
import { DOCUMENT_ENGINES } from './documents/all.ts'
import type { Engine, Tab } from './engine.ts'

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
      request: (example) => suggest.request(toQuery(example), settingsOf(engine, example)),
      read: (reply) => suggest.parse(reply),
    }
  const tab = tabs[part as Tab] ?? expect.unreachable(`${engine.slug} has no ${part}`)
  return {
    request: (example) => tab.request(toQuery(example), settingsOf(engine, example)),
    read: (reply, example) => describePage(tab.parse(reply, toQuery(example), settingsOf(engine, example))),
  }
}

const PARTS = ALL_ENGINES.flatMap((engine) =>
  Object.entries(readExamples(`engines/${engine.slug}`)).map(([part, examples]) => ({ engine, part, examples })),
)

describe.each(PARTS)('$engine.slug $part', ({ engine, part, examples }) => {
  runExamples(examples, subjectOf(engine, part), `engines/${engine.tierOf ?? engine.slug}`)
})

it('every adapter has an example of a request', () => {
  const shown = PARTS.filter(({ examples }) => examples.some(({ sends }) => sends)).map(({ engine }) => engine)
  const adapters = ALL_ENGINES.filter((engine) => !DOCUMENT_ENGINES.includes(engine))
  expect(adapters.filter((engine) => !shown.includes(engine)).map(({ slug }) => slug)).toEqual([])
})

it('every tab has an example of what its good page is read as', () => {
  const shown = PARTS.flatMap(({ engine, examples }) =>
    examples.flatMap(({ reply, reads }) => (reads && typeof reply === 'string' ? `${engine.slug}-${reply}` : [])),
  )
  const pages = EVERY_READING.map(({ fixture }) => `${fixture}-page`)
  expect(pages.filter((page) => !shown.includes(page))).toEqual([])
})
