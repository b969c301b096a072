// Properties of the text answers: encoding and decoding are inverse for any text.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerAlone } from '../answer-alone.test-rules.ts'
import { oneLine } from '../lib/payload.ts'
import { base64 } from './base64.ts'
import { hash } from './hash.ts'
import { htmlEntities } from './html-entities.ts'
import { rot13 } from './rot13.ts'
import { urlEncoding } from './url-encoding.ts'

/** Texts as in a request: trimmed, well-formed and short enough. */
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 60 })
  .map((value) => value.toWellFormed().trim())
  .filter((value) => value !== '')

const outputOf = async (answer: Parameters<typeof answerAlone>[0], asked: string) =>
  String((await answerAlone(answer, asked))?.['output'])

describe('every text', () => {
  it('survives encoding and decoding as Base64', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const encoded = await outputOf(base64, `base64 encode "${value}"`)
        expect(encoded).toBe(Buffer.from(value).toString('base64'))
        expect(await outputOf(base64, `base64 decode ${encoded}`)).toBe(value)
      }),
    )
  })

  it('survives encoding and decoding for a URL', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const encoded = await outputOf(urlEncoding, `url encode: ${value}`)
        expect(encoded).toMatch(/^[\w.!~*'()%-]+$/)
        expect(await outputOf(urlEncoding, `url decode: ${encoded}`)).toBe(value)
      }),
    )
  })

  it('is unchanged after ROT13 twice', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[A-Za-z][ -~]{0,40}[A-Za-z]$/), async (value) => {
        expect(await outputOf(rot13, `rot13: ${await outputOf(rot13, `rot13: ${value}`)}`)).toBe(value)
      }),
    )
  })

  it('has no markup after escaping for HTML', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        const output = await outputOf(htmlEntities, `html escape: <${value}>`)
        expect(output).not.toMatch(/[<>"']/)
      }),
    )
  })

  it('is hashed with all of its spaces', async () => {
    const [one, two] = await Promise.all([answerAlone(hash, 'sha256: a  b'), answerAlone(hash, 'sha256: a b')])
    expect(one?.['input']).toBe('a  b')
    expect(one?.['hex']).not.toBe(two?.['hex'])
  })

  it('is shown on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(oneLine(value)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u)
      }),
    )
  })
})
