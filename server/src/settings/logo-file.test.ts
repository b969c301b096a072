import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LOGO_BYTES, MAX_LOGO_CHARACTERS, readLogo } from './logo-file.ts'

const base64 = (bytes: Uint8Array): string => `data:;base64,${Buffer.from(bytes).toString('base64')}`
const asset = (name: string) => readFileSync(new URL(`../site/assets/${name}`, import.meta.url))

describe('a logo', () => {
  it.each([
    ['a PNG', base64(asset('mark.png')), { contentType: 'image/png', size: { width: 64, height: 64 } }],
    ['our mark', asset('mark.svg').toString(), { contentType: 'image/svg+xml' }],
    ['an SVG in base64', base64(asset('mark.svg')), { contentType: 'image/svg+xml' }],
    [
      'an SVG as drawing programs save it',
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made with a program -->\n<svg xmlns="http://www.w3.org/2000/svg"/>\n`,
      { contentType: 'image/svg+xml' },
    ],
    [
      'an SVG with a byte order mark',
      '\uFEFF<svg xmlns="http://www.w3.org/2000/svg"/>',
      { contentType: 'image/svg+xml' },
    ],
    ['a WebP', base64(Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1')), { contentType: 'image/webp' }],
  ])('may be %s', (_name, text, expected) => {
    expect(readLogo(text)).toMatchObject({ ok: true, logo: { ...expected, version: /^[\da-f]{12}$/ } })
  })

  it.each([
    ['10 MB', base64(Buffer.alloc(10_000_000)), 'tooLarge'],
    ['one byte too many', base64(Buffer.alloc(MAX_LOGO_BYTES + 1)), 'tooLarge'],
    ['nothing', '', 'notAPicture'],
    ['a path', '/etc/passwd', 'notAPicture'],
    ['a web page', '<!doctype html><html><script>alert(1)</script></html>', 'notAPicture'],
    ['a JPEG', base64(Buffer.from('ffd8ffe000104a464946', 'hex')), 'notAPicture'],
    ['a GIF that is a script', base64(Buffer.from('GIF89a/*\0\0\0*/=alert(1)')), 'notAPicture'],
    ['a PNG that is cut off before its size', base64(asset('mark.png').subarray(0, 23)), 'notAPicture'],
    ['a sound', base64(Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')), 'notAPicture'],
  ])('is refused if it is %s', (_name, text, fault) => {
    expect(readLogo(text)).toEqual({ ok: false, fault })
  })

  it('never throws, whatever the bytes are', () => {
    const starts = [
      Buffer.alloc(0),
      asset('mark.png').subarray(0, 8),
      Buffer.from('RIFF'),
      Buffer.from('<svg '),
      asset('mark.png').subarray(0, 60),
    ]
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 300 }), (start, bytes) => {
        expect(typeof readLogo(base64(Buffer.concat([start, bytes]))).ok).toBe('boolean')
      }),
    )
  })

  it('of the greatest size fits into its setting', () => {
    expect(base64(Buffer.alloc(MAX_LOGO_BYTES)).length).toBeLessThanOrEqual(MAX_LOGO_CHARACTERS)
  })
})
