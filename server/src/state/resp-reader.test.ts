import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError, type Reply, ReplyError, RespReader } from './resp-reader.ts'

function encode(reply: Reply): string {
  if (typeof reply === 'number') return `:${reply}\r\n`
  if (reply === null) return '$-1\r\n'
  if (reply instanceof ReplyError) return `-${reply.message}\r\n`
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join('')}`
  return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
}

/** What a reader makes of bytes that come in these pieces: the replies, and whether it then gave up. */
function readPieces(pieces: readonly Buffer[]): { replies: Reply[]; isGarbage: boolean } {
  const replies: Reply[] = []
  const reader = new RespReader((reply) => replies.push(reply))
  const shared = Buffer.alloc(Math.max(1, ...pieces.map(({ length }) => length)))
  try {
    for (const piece of pieces) {
      // As a socket does it: one buffer, overwritten by every reading, with the remains of the last one behind.
      piece.copy(shared)
      reader.take(shared, piece.length)
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError)
    return { replies, isGarbage: true }
  }
  return { replies, isGarbage: false }
}

const readText = (text: string) => readPieces([Buffer.from(text)])

function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end))
}

const aReply: fc.Arbitrary<Reply> = fc.letrec<{ reply: Reply }>((tie) => ({
  reply: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.maxSafeInteger(),
    fc.string({ unit: 'binary' }),
    fc.constant(null),
    fc.stringMatching(/^[A-Z]+ [a-z ]*$/).map((text) => new ReplyError(text)),
    fc.array(tie('reply'), { maxLength: 5 }),
  ),
})).reply
const somePlaces = fc.array(fc.nat(), { maxLength: 12 })

describe('what Redis says', () => {
  it('is read the same wherever the network cuts it', () => {
    fc.assert(
      fc.property(fc.array(aReply, { maxLength: 6 }), somePlaces, (replies, places) => {
        const bytes = Buffer.from(replies.map(encode).join(''))
        expect(readPieces(cut(bytes, places))).toEqual({ replies, isGarbage: false })
      }),
      { numRuns: 500 },
    )
  })

  it('is read the same cut at every single place, and byte by byte', () => {
    const replies: Reply[] = [
      [0, -1, 59, 60, 4_999, 86_400, 20_407],
      'ok',
      null,
      'a\r\nb',
      '',
      'päck',
      [[], ['x', null]],
      7,
    ]
    const bytes = Buffer.from(`+OK\r\n${replies.map(encode).join('')}-ERR no\r\n*-1\r\n`)
    const expected = ['OK', ...replies, new ReplyError('ERR no'), null]
    for (let place = 0; place <= bytes.length; place++) {
      expect(readPieces(cut(bytes, [place]))).toEqual({ replies: expected, isGarbage: false })
    }
    expect(readPieces(cut(bytes, [...bytes.keys()])).replies).toEqual(expected)
  })

  it('is given as soon as it is complete', () => {
    expect(readText(':1\r\n*2\r\n:2\r\n:3\r').replies).toEqual([1])
    expect(readText(':1\r\n*2\r\n:2\r\n:3\r\n:').replies).toEqual([1, [2, 3]])
  })

  it('whatever comes: replies, waiting or a ProtocolError, and the same for every cutting', () => {
    const scraps = fc.constantFrom(
      '*',
      '$',
      ':',
      '+',
      '-',
      '\r\n',
      '\r',
      '\n',
      '0',
      '1',
      '3',
      '-1',
      'x',
      ':1\r\n',
      '*2\r\n',
    )
    const bytes = fc.oneof(
      fc.array(scraps, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    )
    fc.assert(
      fc.property(bytes, somePlaces, (bytes, places) => {
        expect(readPieces(cut(bytes, places))).toEqual(readPieces([bytes]))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['another protocol', 'HTTP/1.1 400 Bad Request\r\n'],
    ['no number', ':\r\n'],
    ['half a number', ':1x\r\n'],
    ['an endless number', `:${'1'.repeat(30)}`],
    ['an endless line', `+${'x'.repeat(70_000)}`],
    ['a string longer than it said', '$1\r\nab\r\n'],
    ['a string of negative length', '$-2\r\n'],
    ['a string of 1 GB', '$1000000000\r\n'],
    ['an array of negative length', '*-2\r\n'],
    ['an array of a billion', '*1000000000\r\n'],
    ['arrays in arrays without end', '*1\r\n'.repeat(100)],
    ['many strings that are too much together', `*3\r\n${`$8000000\r\n${'x'.repeat(8_000_000)}\r\n`.repeat(3)}`],
  ])('is given up when it is %s', (_, text) => {
    expect(readText(text)).toEqual({ replies: [], isGarbage: true })
  })

  it('a large string in small pieces costs no more than its size', () => {
    const text = 'x'.repeat(8_000_000)
    const bytes = Buffer.from(encode([text, 1]))
    const places = Array.from({ length: 20_000 }, (_, i) => i * 400)
    const startedAt = process.cpuUsage()
    expect(readPieces(cut(bytes, places)).replies).toEqual([[text, 1]])
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000)
  })
})
