// Draws a picture for any name, so that a page can show one without the network: hills under a low sun, as PNG.
import { crc32, deflateSync } from 'node:zlib'
import { BoundedMap } from './bounded-map.ts'
import { fraction, hash } from './corpus/random.ts'

const WIDTH = 320
const HEIGHT = 180
const PICTURES_KEPT = 200

type Colour = readonly [red: number, green: number, blue: number]

const kept = new BoundedMap<Buffer>(PICTURES_KEPT)

/** The PNG at `/<name>.png`, or `undefined` for any other path. */
export function pictureAt(path: string): Buffer | undefined {
  const [, name] = /^\/([\w-]{1,64})\.png$/.exec(path) ?? []
  return name === undefined ? undefined : kept.getOrCreate(name, () => encode(landscape(hash(name))))
}

/** The colour of a pixel. */
function landscape(state: number): (x: number, y: number) => Colour {
  const hue = fraction(state, 0) * 360
  const sun = { x: WIDTH * (0.2 + 0.6 * fraction(state, 1)), y: HEIGHT * 0.4, radius: 14 + 12 * fraction(state, 2) }
  const phase = fraction(state, 3) * 6
  const far = (x: number) => HEIGHT * (0.55 + 0.08 * Math.sin(x / 37 + phase))
  const near = (x: number) => HEIGHT * (0.75 + 0.1 * Math.sin(x / 61 - phase))
  return (x, y) => {
    if (y > near(x)) return tint(hue + 140, 0.22)
    if (y > far(x)) return tint(hue + 120, 0.4)
    if (Math.hypot(x - sun.x, y - sun.y) < sun.radius) return tint(hue + 20, 0.95)
    return tint(hue, 0.6 + (0.3 * y) / HEIGHT)
  }
}

/** A muted colour of this hue in degrees and lightness from 0 to 1. */
function tint(hue: number, lightness: number): Colour {
  const part = (turn: number) => {
    const wave = Math.cos(((hue + turn) * Math.PI) / 180)
    return Math.round(255 * Math.min(1, Math.max(0, lightness + 0.18 * wave * Math.min(1, 2 * (1 - lightness)))))
  }
  return [part(0), part(-120), part(120)]
}

function encode(colourAt: (x: number, y: number) => Colour): Buffer {
  const rows = Buffer.alloc(HEIGHT * (1 + WIDTH * 3))
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) rows.set(colourAt(x, y), y * (1 + WIDTH * 3) + 1 + x * 3)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  // 8 bits per sample, RGB, and the only compression, filter and interlacing methods defined.
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const frame = Buffer.alloc(body.length + 8)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), body.length + 4)
  return frame
}
