import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnexpectedReplyError } from './errors.ts'
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts'

async function read(pieces: Iterable<string>): Promise<ServerSentEvent[]> {
  return Array.fromAsync(
    serverSentEvents(
      (async function* () {
        yield* pieces
      })(),
    ),
  )
}

describe('server-sent events', () => {
  const word = fc.stringMatching(/^[a-z é:]{1,8}$/)
  const events = fc.array(fc.record({ event: word, lines: fc.array(word, { minLength: 1, maxLength: 3 }) }))

  it('are the same wherever they are split and however their lines end', async () => {
    const newline = fc.constantFrom('\n', '\r\n', '\r')
    await fc.assert(
      fc.asyncProperty(events, newline, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (sent, end, sizes) => {
        const text = sent
          .map(({ event, lines }) => [`event: ${event}`, ...lines.map((line) => `data: ${line}`), '', ''].join(end))
          .join('')
        // One more line, because a carriage return at the very end is held back.
        const pieces = cut(`${text}:${end}:`, sizes)
        expect(await read(pieces)).toEqual(sent.map(({ event, lines }) => ({ event, data: lines.join('\n') })))
      }),
    )
  })

  it('have a default name, and are dropped if cut off', async () => {
    expect(await read(['data: 1\n\nevent: empty\n\ndata: 2\n'])).toEqual([{ event: 'message', data: '1' }])
  })

  it('have a size limit: an endless one is refused', async () => {
    const endless = (function* () {
      for (;;) yield `data: ${'x'.repeat(1_000_000)}\n`
    })()
    await expect(read(endless)).rejects.toBeInstanceOf(UnexpectedReplyError)
  })
})

function* cut(text: string, sizes: Iterator<number>): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const size = Number(sizes.next().value)
    yield text.slice(at, at + size)
    at += size
  }
}
