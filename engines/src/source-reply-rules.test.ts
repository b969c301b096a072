// The rules every data source keeps in what it reads, run over every call of all of them, from every reply in their
// fixtures. A new source is covered by existing. For engines: reply-rules.test.ts.
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import * as fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { expectUnpolluted, ODD_VALUES, spoiled } from '../test/odd-bodies.ts'
import { SOURCE_FILES, type SourceReader, sourceReaders, sourceReplies } from '../test/source-cases.ts'
import type { ProviderReply } from './engine.ts'
import { UpstreamError } from './upstream-error.ts'

const SOURCES = await Promise.all(
  SOURCE_FILES.map(async (file) => ({ file, readers: await sourceReaders(file), replies: sourceReplies(file) })),
)

/** What its schema allows, without invisible text, or an UpstreamError; anything else fails the test. */
function expectAnswerOrError({ name, schema, parse }: SourceReader, reply: ProviderReply): void {
  let answer: unknown
  try {
    answer = parse(reply)
  } catch (error) {
    if (error instanceof UpstreamError) return
    throw new Error(`${name} threw something else for ${reply.body}`, { cause: error })
  }
  expect(schema.safeParse(answer).error, `${name} of ${reply.body}`).toBe(undefined)
  const text = JSON.stringify(answer)
  // What a health check reads is thrown away.
  if (name !== 'probe' && visibleText(text) !== text)
    throw new Error(`${name} has invisible text from ${reply.body}: ${text}`)
}

/** Not every server reports its longest text, so any reply to that question is an answer. */
const READERS = SOURCES.flatMap(({ file, readers }) =>
  readers.filter(({ name }) => name !== 'longest text').map((reader) => ({ file, reader })),
)

describe.each(READERS)('$file $reader.name', ({ reader }) => {
  const outcome = (status: number, body: string): unknown => {
    try {
      return reader.parse({ status, headers: {}, body })
    } catch (error) {
      return error
    }
  }

  it.each(['<!doctype html><title>One moment</title>', '', '{"half": [{"a rep', '7'])('malformed: %j', (body) => {
    expect(outcome(200, body)).toMatchObject({ kind: 'malformed' })
  })

  it.each([
    [429, 'throttled'],
    [500, 'unreachable'],
    [503, 'unreachable'],
    [302, 'malformed'],
  ])('status %i is %s, whatever the body', (status, kind) => {
    for (const body of ['', '{}', '[]', '<html>']) expect(outcome(status, body)).toMatchObject({ kind })
  })
})

describe.each(SOURCES)('$file', ({ readers, replies }) => {
  afterEach(expectUnpolluted)

  it('has calls, and replies to try them with', () => {
    expect(readers).not.toEqual([])
    expect(replies).not.toEqual([])
  })

  it('with any one field replaced by nonsense gives an answer of its schema, or an UpstreamError', () => {
    for (const reply of replies) {
      const { places, replace } = spoiled(reply.body)
      for (const reader of readers)
        for (const place of places)
          for (const odd of ODD_VALUES) expectAnswerOrError(reader, { ...reply, body: replace(place, odd) })
    }
  })

  it('of arbitrary JSON, whole or in any place, gives an answer of its schema, or an UpstreamError', () => {
    const bodies = replies.map(({ body }) => spoiled(body))
    fc.assert(
      fc.property(fc.constantFrom(...bodies), fc.jsonValue(), fc.nat(), ({ places, replace }, value, at) => {
        const body = replace(places[at % places.length] ?? [], value)
        for (const reader of readers) expectAnswerOrError(reader, { status: 200, headers: {}, body })
      }),
      { numRuns: 100 },
    )
  })

  it('cut off anywhere gives an answer of its schema, or an UpstreamError', () => {
    for (const reply of replies) {
      const step = Math.ceil(reply.body.length / 100)
      for (let length = 0; length < reply.body.length; length += step)
        for (const reader of readers) expectAnswerOrError(reader, { ...reply, body: reply.body.slice(0, length) })
    }
  })
})
