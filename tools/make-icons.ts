// Draws `mark.svg` as the pictures that browsers want beside it: a PNG of 64 pixels and an ICO of 16 and 32, for the
// OpenSearch description and for `/favicon.ico`; and those of the installed app. Phones cut some of these to a shape of their
// own, so they are drawn on paper, with room around the mark. Run it after the mark has changed: `npx node tools/make-icons.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { launchBrowser } from '../server/test/support/browser.ts'

const ASSETS = resolve(import.meta.dirname, '../server/src/site/assets')
const HEAD_BYTES = 6
const ENTRY_BYTES = 16

interface Drawing {
  size: number
  /** How much of the width the mark takes, on paper instead of nothing. */
  share?: number
}

const PAPER = '#fbf9f4'

async function drawMark(drawings: readonly Drawing[]): Promise<Buffer[]> {
  const svg = readFileSync(resolve(ASSETS, 'mark.svg'), 'utf8')
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const drawn: Buffer[] = []
    for (const { size, share } of drawings) {
      await page.setViewportSize({ width: size, height: size })
      const width = `${(share ?? 1) * 100}vw`
      const paper = share === undefined ? '' : `background:${PAPER}`
      await page.setContent(
        `<style>body{margin:0;display:grid;place-items:center;height:100vh;${paper}}svg{display:block;width:${width};height:${width}}</style>${svg}`,
      )
      drawn.push(await page.screenshot({ omitBackground: true }))
    }
    return drawn
  } finally {
    await browser.close()
  }
}

/** An ICO is a list of pictures; PNG has been allowed in it since Windows Vista. */
function toIco(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const head = Buffer.alloc(HEAD_BYTES + ENTRY_BYTES * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let offset = head.length
  for (const [index, { size, png }] of pictures.entries()) {
    const at = HEAD_BYTES + ENTRY_BYTES * index
    head.writeUInt8(size, at)
    head.writeUInt8(size, at + 1)
    head.writeUInt16LE(1, at + 4)
    head.writeUInt16LE(32, at + 6)
    head.writeUInt32LE(png.length, at + 8)
    head.writeUInt32LE(offset, at + 12)
    offset += png.length
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)])
}

const [small, medium, large, app, largeApp, maskable, touch] = await drawMark([
  { size: 16 },
  { size: 32 },
  { size: 64 },
  { size: 192 },
  { size: 512 },
  { size: 512, share: 0.6 },
  { size: 180, share: 0.72 },
])
if (!small || !medium || !large || !app || !largeApp || !maskable || !touch)
  throw new Error('the browser has drawn nothing')
const PICTURES = {
  'mark.png': large,
  'app-192.png': app,
  'app-512.png': largeApp,
  'app-maskable.png': maskable,
  'touch.png': touch,
  'favicon.ico': toIco([
    { size: 16, png: small },
    { size: 32, png: medium },
  ]),
}
for (const [name, content] of Object.entries(PICTURES)) writeFileSync(resolve(ASSETS, name), content)
