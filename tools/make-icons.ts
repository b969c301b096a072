// Draws `mark.svg` as the pictures that browsers want beside it: a PNG of 64 pixels and an ICO of 16 and 32, for the
// OpenSearch description and for `/favicon.ico`. Run it after the mark has changed: `npx node tools/make-icons.ts`.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { launchBrowser } from '../server/test/support/browser.ts'

const ASSETS = resolve(import.meta.dirname, '../server/src/site/assets')
const HEAD_BYTES = 6
const ENTRY_BYTES = 16

async function drawMark(sizes: readonly number[]): Promise<Buffer[]> {
  const svg = readFileSync(resolve(ASSETS, 'mark.svg'), 'utf8')
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    const drawn: Buffer[] = []
    for (const size of sizes) {
      await page.setViewportSize({ width: size, height: size })
      await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`)
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

const [small, medium, large] = await drawMark([16, 32, 64])
if (!small || !medium || !large) throw new Error('the browser has drawn nothing')
writeFileSync(resolve(ASSETS, 'mark.png'), large)
writeFileSync(
  resolve(ASSETS, 'favicon.ico'),
  toIco([
    { size: 16, png: small },
    { size: 32, png: medium },
  ]),
)
