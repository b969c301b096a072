// Fake pictures at the addresses of `corpus/hostile.ts`, as an image proxy would return them.
import type { ServerResponse } from 'node:http'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PIECE = Buffer.alloc(65_536, 1)
const LARGE_BYTES = 50_000_000
const ENDLESS_MS = 10_000

const PLAYS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  svg: (response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(SVG),
  page: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
  large: (response) =>
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': LARGE_BYTES }).end(PNG_HEAD),
  endless(response) {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG_HEAD)
    const pour = setInterval(() => response.write(PIECE), 1)
    const end = setTimeout(() => response.destroy(), ENDLESS_MS)
    response.once('close', () => {
      clearInterval(pour)
      clearTimeout(end)
    })
  },
  slow(response) {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PNG_HEAD)
    const end = setTimeout(() => response.destroy(), ENDLESS_MS)
    response.once('close', () => clearTimeout(end))
  },
  'to-metadata': (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
  'to-loopback': (response) => response.writeHead(302, { location: 'http://[::1]/' }).end(),
  'to-number': (response) => response.writeHead(302, { location: 'http://2130706433/' }).end(),
  loop: (response) => response.writeHead(302, { location: '/pictures/hostile-loop.png' }).end(),
  gone: (response) => response.writeHead(404).end(),
}

/** Sends the picture if its address names one of these; false for any other. */
export function playHostilePicture(address: string, response: ServerResponse): boolean {
  const [, name = ''] = /\/hostile-([a-z-]{1,20})\.png$/.exec(address) ?? []
  const play = PLAYS[name]
  play?.(response)
  return play !== undefined
}
