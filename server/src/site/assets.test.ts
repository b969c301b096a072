import { readdirSync, readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { contrast } from './appearance/accent-colours.ts'
import {
  APP_ICONS,
  extraScriptPath,
  extraStylePath,
  LOGO_PATH,
  LOGO_PNG_PATH,
  lean,
  SCRIPT_PATH,
  STYLESHEET_PATH,
  TOUCH_ICON_PATH,
} from './assets.ts'
import { openSiteStage, type SiteStage } from './site.test-harness.ts'

let site: SiteStage
beforeAll(async () => {
  site = await openSiteStage({}, [])
})

/** The first selector of the last rule of a stylesheet. */
const lastRuleOf = (css: string): string => [...css.matchAll(/^ *(\S[^{}\n]*) \{$/gm)].at(-1)?.[1] ?? css

const read = (name: string) => readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')

describe('the assets', () => {
  it.each([
    [STYLESHEET_PATH, 'text/css; charset=utf-8'],
    [SCRIPT_PATH, 'text/javascript; charset=utf-8'],
    [LOGO_PATH, 'image/svg+xml; charset=utf-8'],
  ])('%s is cached forever under a hashed name, and sent compressed', async (path, type) => {
    expect(path).toMatch(/^\/assets\/[a-z]+\.[\da-f]{12}\.[a-z]+$/)
    const plain = await site.inject({ method: 'GET', url: path, headers: {} })
    expect(plain.headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    const br = await site.inject({ method: 'GET', url: path, headers: { 'accept-encoding': 'br' } })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
  })

  it('the script is under 8 KB, and script and stylesheet together under 14 KB compressed', async () => {
    const fetched = (url: string, encoding: string) =>
      site.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
    expect((await fetched(SCRIPT_PATH, 'identity')).rawPayload.length).toBeLessThan(8_192)
    const sizes = await Promise.all(
      [STYLESHEET_PATH, SCRIPT_PATH].map(async (url) => (await fetched(url, 'br')).rawPayload.length),
    )
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(14_000)
  })

  it('the viewer of images is under 3 KB compressed, with its stylesheet', async () => {
    const paths = [extraScriptPath('viewer'), extraStylePath('images')]
    const headers = { 'accept-encoding': 'br' }
    const replies = await Promise.all(paths.map((url) => site.inject({ method: 'GET', url, headers })))
    expect(replies.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)).toBeLessThan(3_072)
  })

  it('the stylesheet loads nothing, and has every area, after its layers, but not what only some need', async () => {
    const { body } = await site.inject({ method: 'GET', url: STYLESHEET_PATH, headers: {} })
    expect(body).not.toMatch(/url\(|@import/)
    const files = readdirSync(new URL('./assets/', import.meta.url)).filter((name) => name.endsWith('.css'))
    expect(files.length).toBeGreaterThan(5)
    const extra = ['contrast.css', 'compact.css', 'images.css', 'tools.css']
    for (const name of files.filter((file) => !extra.includes(file))) expect(body).toContain(lastRuleOf(read(name)))
    for (const name of ['contrast.css', 'compact.css'])
      expect(body).not.toContain(read(name).match(/--paper: .*|--top-height: 3.5rem/)?.[0])
    const images = await site.inject({ method: 'GET', url: extraStylePath('images'), headers: {} })
    expect(images.body).toContain(lastRuleOf(read('images.css')))
    expect(images.body).not.toMatch(/url\(|@import/)
    expect(body.indexOf('@layer')).toBe(body.indexOf('@layer reset, tokens, base, parts, pages;'))
  })

  const scriptsIn = (folder: string) =>
    readdirSync(new URL(`./assets/${folder}`, import.meta.url))
      .filter((name) => name.endsWith('.js'))
      .map((name) => `${folder}${name}`)
  const tools = scriptsIn('tools/')
  const scripts = [...scriptsIn(''), ...tools]

  it('the scripts are these', () => {
    expect(scriptsIn('')).toEqual([
      'passkeys.js',
      'results.js',
      'site.js',
      'streaming.js',
      'suggestions.js',
      'viewer.js',
    ])
    expect(tools).toEqual(['tools/converter.js', 'tools/timer.js'])
  })

  it.each(tools)('%s is under 4 KB compressed', (file) => {
    expect(brotliCompressSync(lean(read(file))).length).toBeLessThan(4_096)
  })

  it.each(scripts)('%s writes text and nodes, never markup or code of others', (file) => {
    const source = read(file)
    expect(source).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc/)
    expect(source).not.toMatch(/createContextualFragment|setHTML|javascript:|createElement\(['"]script/)
    expect(source).not.toMatch(/postMessage|['"]message['"]/)
  })

  it('the only markup that scripts put into a page is from pages of this site, parsed without running', () => {
    const linesWith = (pattern: RegExp) =>
      scripts.flatMap((file) => (read(file).match(pattern) ?? []).map((line) => [file, line.trim()]))
    expect(linesWith(/.*(?:DOMParser|parseFromString|<template).*/g)).toEqual([
      ['results.js', "return new DOMParser().parseFromString(await reply.text(), 'text/html')"],
      ['site.js', "const local = new DOMParser().parseFromString(text, 'text/html').querySelector('.answer')"],
      ['tools/converter.js', "put(new DOMParser().parseFromString(text, 'text/html'))"],
    ])
    // They come from addresses that the page itself carries, and that open as links do without script.
    expect(linesWith(/fetch\(`?[^,\n]*/g)).toEqual([
      ['passkeys.js', expect.stringContaining('fetch(')],
      ['results.js', 'fetch(href)'],
      ['site.js', expect.stringContaining('answer.dataset.here')],
      ['suggestions.js', expect.stringContaining('/suggest?')],
      ['tools/converter.js', 'fetch(address)'],
    ])
    expect(read('results.js').match(/readPage\([^)]*\)/g)).toEqual([
      'readPage({ href })',
      'readPage(link)',
      'readPage(link)',
      'readPage({ href: place.dataset.late })',
      'readPage(link)',
    ])
    // And from the page that the form of a tool leads to.
    expect(read('tools/converter.js').match(/(?:address = |fetch\()[^,\n]*/g)).toEqual([
      'address = `${form.action}?${new URLSearchParams(new FormData(form))}`',
      'fetch(address)',
    ])
  })

  it.each(scripts)('%s keeps nothing in the browser', (file) => {
    const source = read(file)
    expect(source).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\b|serviceWorker/)
  })

  it('an asset of another version is a 404', async () => {
    expect((await site.inject({ method: 'GET', url: '/assets/site.000000000000.css', headers: {} })).status).toBe(404)
  })

  it('favicon.ico holds a picture of 16 and one of 32 pixels, and the PNG has 64', async () => {
    const { headers, rawPayload: icon } = await site.inject({ method: 'GET', url: '/favicon.ico', headers: {} })
    expect(headers['content-type']).toBe('image/x-icon')
    expect(icon.readUInt16LE(2)).toBe(1)
    expect(icon.readUInt16LE(4)).toBe(2)
    const pictures = [0, 1].map((index) => icon.subarray(icon.readUInt32LE(6 + 16 * index + 12)))
    expect(pictures.map((png) => png.readUInt32BE(16))).toEqual([16, 32])
    const { rawPayload: png } = await site.inject({ method: 'GET', url: LOGO_PNG_PATH, headers: {} })
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(64)
    expect(png.readUInt32BE(20)).toBe(64)
  })

  it('the icons of the app have the sizes that they claim, and are under 60 KB together', async () => {
    const icons = await Promise.all(
      [...APP_ICONS, { src: TOUCH_ICON_PATH, sizes: '180x180' }].map(async ({ src, sizes }) => {
        const { rawPayload: png } = await site.inject({ method: 'GET', url: src, headers: { 'accept-encoding': 'br' } })
        expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes)
        return png.length
      }),
    )
    expect(icons.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000)
  })
})

const coloursOf = (file: string) =>
  new Map(
    [...read(file).matchAll(/--([\w-]+): light-dark\(#(\w{6}), #(\w{6})\)/g)].map(([, name = '', light, dark]) => [
      name,
      { light: light ?? '', dark: dark ?? '' },
    ]),
  )

it('the contrast theme has another value for every colour', () => {
  expect([...coloursOf('contrast.css').keys()]).toEqual([...coloursOf('tokens.css').keys()])
})

describe.each([
  ['light', 'tokens.css', 4.5],
  ['dark', 'tokens.css', 4.5],
  ['light', 'contrast.css', 7],
  ['dark', 'contrast.css', 7],
] as const)('the colours in the %s of %s', (scheme, file, least) => {
  const colours = coloursOf(file)
  const colour = (name: string) => colours.get(name)?.[scheme] ?? ''
  const inks = ['ink', 'quiet', 'blue', 'blue-hover', 'visited', 'up', 'partial', 'down']

  it.each(
    inks.flatMap((ink) => [
      [ink, 'paper'],
      [ink, 'raised'],
    ]),
  )(`%s on %s is ${least}:1 or better`, (ink, ground) => {
    expect(contrast(colour(ink), colour(ground))).toBeGreaterThanOrEqual(least)
  })

  it('the primary button is legible, and the outline of a field visible', () => {
    for (const blue of ['blue', 'blue-hover']) {
      expect(contrast(colour('on-blue'), colour(blue))).toBeGreaterThanOrEqual(least)
    }
    for (const ground of ['paper', 'raised']) {
      expect(contrast(colour('outline'), colour(ground))).toBeGreaterThanOrEqual(3)
    }
  })
})
