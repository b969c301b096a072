import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashSecret, mintKey, readKey, readPrefix } from './key-format.ts'

const anyKey = fc.integer().map((seed) => {
  let count = 0
  return mintKey((size) => createHash('shake256', { outputLength: size }).update(`${seed} ${count++}`).digest())
})
const anyPlace = fc.nat(67)

describe('the format of a key', () => {
  it('is bowerbird_, 8 characters, a dot and 49, of which the checksum is the same from release to release', () => {
    const key = mintKey((size) => new Uint8Array(size).fill(10))
    expect(key.full).toBe(`bowerbird_AAAAAAAA.${'A'.repeat(43)}3PcGc7`)
  })

  it('reads back every key it mints', () => {
    fc.assert(
      fc.property(anyKey, ({ full, prefix, secret }) => {
        expect(readKey(full)).toEqual({ prefix, secret })
      }),
    )
  })

  it('recognises any changed character without a look-up', () => {
    fc.assert(
      fc.property(anyKey, anyPlace, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), (key, place, other) => {
        fc.pre(key.full[place] !== other)
        expect(readKey(key.full.slice(0, place) + other + key.full.slice(place + 1))).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })

  it('recognises a lost, an added and a case-folded character, and white space around a key', () => {
    const { full } = mintKey(randomBytes)
    for (const wrong of [full.slice(0, -1), `${full}A`, full.toLowerCase(), ` ${full.slice(1)}`, `${full}\n`, '']) {
      expect(readKey(wrong)).toBeUndefined()
    }
  })

  it('never throws, whatever is presented', () => {
    const unit = 'binary'
    const anyText = fc.string({ unit, maxLength: 200 })
    const almostAKey = fc
      .tuple(fc.string({ unit, minLength: 8, maxLength: 8 }), fc.string({ unit, minLength: 49, maxLength: 49 }))
      .map(([prefix, secret]) => `bowerbird_${prefix}.${secret}`)
    fc.assert(
      fc.property(fc.oneof(anyText, almostAKey), (text) => {
        expect(readKey(text)).toBeUndefined()
      }),
    )
  })

  it('uses every base62 character equally often', () => {
    const counts = new Map<string, number>()
    const keys = 2_000
    for (let n = 0; n < keys; n++) {
      for (const character of mintKey(randomBytes).secret.slice(0, 43)) {
        counts.set(character, (counts.get(character) ?? 0) + 1)
      }
    }
    const expected = (keys * 43) / 62
    expect(counts.size).toBe(62)
    // Six standard deviations: a biased modulo (8 characters 25 % more often) is nine away.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(6 * Math.sqrt(expected))
  })

  it('never mints a prefix that could be read as an id', () => {
    const digitsThenLetter = [...new Uint8Array(8).fill(1), ...new Uint8Array(60).fill(40)]
    let from = 0
    const { prefix } = mintKey((size) => {
      from += size
      return Uint8Array.from(digitsThenLetter.slice(from - size, from))
    })
    expect(prefix).toBe('eeeeeeee')
  })
})

describe('the rule for secret scanners', () => {
  const read = (path: string) => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8')
  const written = /^regex = '''(.+)'''$/m.exec(read('security/gitleaks.toml'))?.[1] ?? ''
  const found = (text: string) => text.match(new RegExp(written, 'g')) ?? []

  it('is the same in the rule for gitleaks and in the documentation', () => {
    expect(read('api/authentication.md')).toContain(`\n${written}\n`)
  })

  it('finds every key it mints, wherever it stands, and nothing else', () => {
    fc.assert(
      fc.property(anyKey, ({ full }) => {
        for (const [before, after] of [
          ['', ''],
          ['KEY=', '\n'],
          ['"', '",'],
          ['/k/', '/searxng'],
          ['Api-Key ', "'"],
        ])
          expect(found(`${before}${full}${after}`)).toEqual([full])
        for (const other of [full.slice(0, -1), `${full}0`, `x${full}`, full.replace('.', '_')])
          expect(found(other)).toEqual([])
      }),
    )
  })
})

describe('the prefix an operator writes', () => {
  it('is read from the bare prefix, the labelled prefix and the whole key', () => {
    const { prefix, full } = mintKey(randomBytes)
    for (const written of [prefix, `bowerbird_${prefix}`, full]) expect(readPrefix(written)).toBe(prefix)
  })

  it('is not read from anything else', () => {
    for (const written of ['', 'short', 'bowerbird_', 'ninechars', 'has-dash', "' or 1=1", '12345678x']) {
      expect(readPrefix(written)).toBeUndefined()
    }
  })
})

describe('the hash of a secret', () => {
  it('is SHA-256', () => {
    expect(Buffer.from(hashSecret('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })
})
