import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LOGO_BYTES, MAX_LOGO_CHARACTERS, readLogo } from './logo-file.ts'

const base64 = (bytes: Uint8Array): string => `data:;base64,${Buffer.from(bytes).toString('base64')}`
const asset = (name: string) => readFileSync(new URL(`../site/assets/${name}`, import.meta.url))
const svg = (inside: string, attributes = ''): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"${attributes}>${inside}</svg>`

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

function png(width: number, height: number, ...others: Buffer[]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([8, 0], 8)
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(16)))
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), pixels, ...others, chunk('IEND', Buffer.alloc(0))])
}

function webp(first: string, rest: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(`WEBP${first}`, 'latin1'), Buffer.alloc(4), rest])
  const head = Buffer.alloc(8)
  head.write('RIFF', 'latin1')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

describe('a logo', () => {
  it.each([
    ['a PNG', base64(asset('mark.png')), { contentType: 'image/png', size: { width: 64, height: 64 } }],
    ['our mark', asset('mark.svg').toString(), { contentType: 'image/svg+xml' }],
    ['an SVG in base64', base64(asset('mark.svg')), { contentType: 'image/svg+xml' }],
    [
      'an SVG as drawing programs save it',
      `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made with a program -->\n${svg('<style>.a{fill:url(#g)}</style><use xlink:href="#a"/><image href="data:image/png;base64,AA"/>', ' xmlns:xlink="http://www.w3.org/1999/xlink"')}\n`,
      { contentType: 'image/svg+xml' },
    ],
    [
      'a WebP with lossy compression',
      base64(webp('VP8 ', Buffer.from('00000000009d012a40002000', 'hex').subarray(2))),
      { contentType: 'image/webp', size: { width: 64, height: 32 } },
    ],
    [
      'a WebP without loss',
      base64(webp('VP8L', Buffer.from('2f3fc007000000000000', 'hex'))),
      { contentType: 'image/webp', size: { width: 64, height: 32 } },
    ],
    [
      'a WebP with more in it',
      base64(webp('VP8X', Buffer.from('000000003f00001f0000', 'hex'))),
      { contentType: 'image/webp', size: { width: 64, height: 32 } },
    ],
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
    ['a PNG that is cut off', base64(asset('mark.png').subarray(0, 500)), 'notAPicture'],
    [
      'a PNG with a web page behind it',
      base64(Buffer.concat([asset('mark.png'), Buffer.from('<script>')])),
      'notAPicture',
    ],
    ['a PNG with an archive behind it', base64(Buffer.concat([png(64, 64), Buffer.from('PK\x03\x04')])), 'notAPicture'],
    [
      'a PNG whose chunk is longer than the file',
      base64(Buffer.concat([SIGNATURE, Buffer.from('ffffffff49484452', 'hex'), Buffer.alloc(20)])),
      'notAPicture',
    ],
    [
      'a PNG without a header',
      base64(Buffer.concat([SIGNATURE, chunk('IDAT', Buffer.alloc(13)), chunk('IEND', Buffer.alloc(0))])),
      'notAPicture',
    ],
    ['a PNG that unpacks to gigabytes', base64(png(60_000, 60_000)), 'wrongSize'],
    ['a PNG of one pixel', base64(png(1, 1)), 'wrongSize'],
    [
      'a WebP with something behind it',
      base64(Buffer.concat([webp('VP8X', Buffer.from('000000003f00001f0000', 'hex')), Buffer.from('<svg')])),
      'notAPicture',
    ],
    ['a WebP of an unknown kind', base64(webp('ANIM', Buffer.alloc(20))), 'notAPicture'],
    ['an SVG without its namespace', '<svg viewBox="0 0 8 8"></svg>', 'notAPicture'],
    ['an SVG with something behind it', `${svg('')}<script>alert(1)</script>`, 'notAPicture'],
    ['a script', svg('<script>alert(1)</script>'), 'active'],
    ['a script under a prefix', svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'), 'active'],
    ['an event', svg('<path/>', ' onload="alert(1)"'), 'active'],
    ['an event on a line of its own', svg('<path\nonclick = "alert(1)"/>'), 'active'],
    ['HTML in a drawing', svg('<foreignObject><p>hello</p></foreignObject>'), 'active'],
    ['a link', svg('<a href="#x"><path/></a>'), 'active'],
    ['javascript: in an address', svg('<use href="javascript:alert(1)"/>'), 'active'],
    ['an encoded javascript: in an address', svg('<use href="&#106;avascript:alert(1)"/>'), 'active'],
    ['a picture from elsewhere', svg('<image href="https://evil.example/x.png"/>'), 'active'],
    ['an SVG in a data: address', svg('<image href="data:image/svg+xml;base64,AA"/>'), 'active'],
    ['a style from elsewhere', svg('<style>@import "https://evil.example/x.css"</style>'), 'active'],
    ['a font from elsewhere', svg('<style>a{src:url( https://evil.example/x)}</style>'), 'active'],
    ['an animation', svg('<animateTransform attributeName="href" to="javascript:alert(1)"/>'), 'active'],
    ['entities that multiply', `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]>${svg('&b;')}`, 'active'],
    ['a stylesheet as an instruction', svg('<?xml-stylesheet href="https://evil.example"?>'), 'active'],
  ])('is refused if it is or has: %s', (_name, text, fault) => {
    expect(readLogo(text)).toEqual({ ok: false, fault })
  })

  it('never throws, whatever the bytes are', () => {
    const starts = [
      Buffer.alloc(0),
      SIGNATURE,
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
