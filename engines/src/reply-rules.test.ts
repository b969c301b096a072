// The rules every engine keeps in what it reads, run over every tab and every completion of all engines. Fixtures are
// found by name (`<slug>-<tab>-page`, `-empty`, `-refusal`, and for tabs `-bare`), so a new engine is covered by
// existing.
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  EVERY_READING,
  EVERY_SUGGEST,
  MEANINGFUL_BODIES,
  QUERY,
  SITE_LICENCES,
  SITE_PUBLISHERS,
  WITHOUT_DESCRIPTIONS,
} from '../test/engine-cases.ts'
import { expectUnpolluted, ODD_VALUES, spoiled, wrongTypesThroughout } from '../test/odd-bodies.ts'
import { readFixture } from '../test/read-fixture.ts'
import { expectWellFormedPage, isPlain } from '../test/well-formed.ts'
import type { ProviderReply } from './engine.ts'
import { hostOf } from './parsing/http-address.ts'
import { UpstreamError } from './upstream-error.ts'

/** Reads a reply, proves that what came out is well formed, and says how many results it was. */
type Read = (reply: ProviderReply) => number

const json = (body: unknown): ProviderReply => ({ status: 200, headers: {}, body: JSON.stringify(body) })

/** How many results a reply was read as, or the UpstreamError it raised; any other exception fails the test. */
const outcomeOf = (read: Read, reply: ProviderReply): number | UpstreamError => {
  try {
    return read(reply)
  } catch (error) {
    if (error instanceof UpstreamError) return error
    throw error
  }
}

const errorOf = (read: Read, reply: ProviderReply): UpstreamError => {
  const outcome = outcomeOf(read, reply)
  if (outcome instanceof UpstreamError) return outcome
  throw new Error('read as results where an UpstreamError was due')
}

/** `malformed`, `empty`, …: what became of a body. */
const verdictOn = (read: Read, body: string): string => {
  const outcome = outcomeOf(read, { status: 200, headers: {}, body })
  if (outcome instanceof UpstreamError) return outcome.kind
  return outcome === 0 ? 'empty' : 'results'
}

/** In how many places a good body is cut off: there are 137 readers, and the unit tests have 40 seconds. */
const CUTS = 40

const STATUSES = [
  [401, 'rejected'],
  [402, 'rejected'],
  [403, 'throttled'],
  [407, 'blocked'],
  [429, 'throttled'],
  [500, 'unreachable'],
  [503, 'unreachable'],
  [301, 'malformed'],
] as const
const NO_REPLIES = ['<!doctype html><title>canary</title>', '', ' \n', 'null', '[]', '7', '"canary"', '{}', 'canary']

const isEmpty = (value: unknown): boolean =>
  value === '' || value === undefined || (Array.isArray(value) && value.length === 0)

describe.each(EVERY_READING)('$fixture page', ({ engine, name, tab, fixture }) => {
  it('has sizes and licences exactly if it declares to know them', () => {
    const { hits } = tab.parse(readFixture(`${fixture}-page`), QUERY)
    expect(hits.some((hit) => 'width' in hit)).toBe(tab.knowsSizes === true)
    expect(hits.some((hit) => 'licence' in hit)).toBe(tab.knowsLicences === true)
  })

  it('is read whole: every result of a good page has a title, and a web page some description', () => {
    const page = tab.parse(readFixture(`${fixture}-page`), QUERY)
    expectWellFormedPage(name, page)
    expect(page.hits.length).toBeGreaterThanOrEqual(3)
    expect(page.hits.every((hit) => hit.title !== '')).toBe(true)
    const hasDescriptions = name === 'web' && !WITHOUT_DESCRIPTIONS.has(engine.slug)
    if (hasDescriptions) expect(page.hits.some((hit) => 'description' in hit && hit.description !== '')).toBe(true)
  })

  it('says what is known of papers in science, and nowhere else', () => {
    const { hits } = tab.parse(readFixture(`${fixture}-page`), QUERY)
    const isOfPapers = name === 'science' && engine.slug !== 'bowerbird'
    expect(hits.every((hit) => 'paper' in hit === isOfPapers)).toBe(true)
  })

  it('has a date in every result if it declares knowsDates', () => {
    if (tab.knowsDates !== true) return
    for (const fixtureName of [`${fixture}-page`, `${fixture}-bare`]) {
      const { hits } = tab.parse(readFixture(fixtureName), QUERY)
      expect(hits.every((hit) => 'publishedAt' in hit && hit.publishedAt !== undefined)).toBe(true)
    }
  })

  it('is empty when nothing was found', () => {
    expect(tab.parse(readFixture(`${fixture}-empty`), QUERY)).toEqual({ hits: [], correction: '' })
  })

  it('has every field, empty, when the provider leaves out all it may leave out', () => {
    const page = tab.parse(readFixture(`${fixture}-bare`), QUERY)
    expectWellFormedPage(name, page)
    expect(page.hits.length).toBeGreaterThan(0)
    for (const hit of page.hits) {
      const { url, ...optional } = hit
      const filled = new Map<string, unknown>(Object.entries(optional))
      // Where the address is made of the name, one never comes without the other.
      if (decodeURIComponent(url).includes(hit.title.replaceAll(' ', '_'))) filled.delete('title')
      if (name === 'images') for (const picture of ['thumbnailUrl', 'imageUrl']) filled.delete(picture)
      // Every picture of the provider is under it.
      if (SITE_LICENCES.has(engine.slug)) filled.delete('licence')
      if (tab.knowsDates === true) filled.delete('publishedAt')
      filled.delete('kind')
      // A paper's DOI is its address.
      if ('paper' in hit)
        filled.set(
          'paper',
          Object.keys(hit.paper ?? {}).filter((fact) => fact !== 'doi'),
        )
      // The site is a fair name for a publisher that is not named.
      if (filled.get('publisher') === hostOf(url) || SITE_PUBLISHERS.has(engine.slug)) filled.delete('publisher')
      expect([...filled.values()].filter((value) => !isEmpty(value))).toEqual([])
    }
  })
})

describe.each(EVERY_SUGGEST)('$fixture completion', ({ parse, fixture }) => {
  it('is read whole, best first, as plain text', () => {
    const completions = parse(readFixture(`${fixture}-page`))
    expect(completions.length).toBeGreaterThanOrEqual(3)
    expect(completions.filter((completion) => completion === '' || !isPlain(completion))).toEqual([])
  })

  it('is empty when nothing was found', () => {
    expect(parse(readFixture(`${fixture}-empty`))).toEqual([])
  })
})

const READERS = [
  ...EVERY_READING.map(({ name, tab, fixture }) => ({
    fixture,
    read: (reply: ProviderReply): number => {
      const page = tab.parse(reply, QUERY)
      expectWellFormedPage(name, page)
      return page.hits.length
    },
  })),
  ...EVERY_SUGGEST.map(({ parse, fixture }) => ({
    fixture,
    read: (reply: ProviderReply): number => {
      const completions = parse(reply)
      expect(completions.filter((completion) => !isPlain(completion))).toEqual([])
      return completions.length
    },
  })),
]

describe.each(READERS)('$fixture reply', ({ fixture, read }) => {
  afterEach(expectUnpolluted)
  const good = readFixture(`${fixture}-page`)
  const { places, replace, isJson } = spoiled(good.body)
  const empty = readFixture(`${fixture}-empty`)
  const meaningful: Readonly<Record<string, string>> = { [empty.body]: 'empty', ...MEANINGFUL_BODIES[fixture] }

  it('is an error in our own words when the provider refuses', () => {
    const error = errorOf(read, readFixture(`${fixture}-refusal`))
    expect(error.kind).toMatch(/^(throttled|blocked|rejected|unreachable)$/)
    expect(error.cause).toBe(undefined)
  })

  it('that throttles us: Retry-After wins over any other wait', () => {
    const refusal = readFixture(`${fixture}-refusal`)
    const error = errorOf(read, { ...refusal, headers: { ...refusal.headers, 'retry-after': '37' } })
    if (error.kind === 'throttled') expect(error.retryAfterSeconds).toBe(37)
  })

  it('with a status of failure is what the status says, whatever the body, and says how long to wait', () => {
    for (const [status, kind] of STATUSES) {
      for (const body of ['', '<html>canary</html>', good.body, 'canary']) {
        const error = errorOf(read, { status, headers: { 'retry-after': '17' }, body })
        const { retryAfterSeconds, isQueryFault, cause, message } = error
        expect([status, error.kind, retryAfterSeconds, isQueryFault, cause]).toEqual([
          status,
          kind,
          17,
          false,
          undefined,
        ])
        expect(message).not.toContain('canary')
      }
    }
  })

  it('with status 403 and no wait is a refusal, and never a private address', () => {
    for (const body of ['', '<html>canary</html>', good.body]) {
      expect(errorOf(read, { status: 403, headers: {}, body }).kind).toMatch(/^(?:blocked|throttled)$/)
    }
  })

  it('of another shape is malformed, unless the provider means something by it', () => {
    for (const body of NO_REPLIES) {
      expect([body, verdictOn(read, body)]).toEqual([body, meaningful[body] ?? 'malformed'])
      if (meaningful[body] === 'empty') continue
      const error = errorOf(read, { status: 200, headers: {}, body })
      expect(error.cause).toBe(undefined)
      expect(error.message).not.toContain('canary')
      if (error.kind === 'malformed') expect(error.isQueryFault).toBe(false)
    }
  })

  it('that is cut off anywhere is malformed', () => {
    const surprises: string[] = []
    const step = Math.ceil(good.body.length / CUTS)
    for (let length = 0; length < good.body.length; length += step) {
      const body = good.body.slice(0, length)
      const verdict = verdictOn(read, body)
      if (verdict !== (meaningful[body] ?? 'malformed')) surprises.push(`${verdict}: ${body}`)
    }
    expect(surprises).toEqual([])
  })

  it('in which every field has a wrong type is malformed', () => {
    if (!isJson) return
    expect(errorOf(read, json(wrongTypesThroughout(JSON.parse(good.body)))).kind).toBe('malformed')
  })

  it('with any one field replaced by nonsense still gives well-formed results or an UpstreamError', () => {
    for (const place of places) {
      for (const odd of ODD_VALUES) outcomeOf(read, { ...good, body: replace(place, odd) })
    }
  })

  it('of arbitrary JSON, whole or in any place, gives well-formed results or an UpstreamError', () => {
    const anyPlace = fc.constantFrom(...places)
    const statuses = fc.constantFrom(200, 400, 404, 422, 429, 500)
    fc.assert(
      fc.property(fc.jsonValue(), anyPlace, statuses, (value, place, status) => {
        outcomeOf(read, { status, headers: {}, body: replace(place, value) })
      }),
      { numRuns: 10 },
    )
  })
})
