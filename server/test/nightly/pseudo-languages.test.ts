// Every page in a language whose texts are 40 % longer than English, and in one that is written from right to left, on
// a phone and on a desktop. `SCREENSHOTS=folder` takes pictures.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Demo, startDemo } from '../../src/demo/demo.ts'
import type { Words } from '../../src/site/i18n/messages.ts'
import { findings, overflow } from '../support/accessible-pages.ts'
import { launchBrowser, openTab, signIn, type Tab } from '../support/browser.ts'
import { OPEN_PAGES, SITE_PAGES, UNHURRIED } from '../support/site-pages.ts'

vi.mock(import('../../src/site/i18n/messages.ts'), async (importOriginal) => {
  const original = await importOriginal()
  const { PSEUDO_LANGUAGES, pseudoWords } = await import('../support/pseudo-words.ts')
  const words = new Map<string, Words>(PSEUDO_LANGUAGES.map((language) => [language, pseudoWords(language)]))
  return {
    ...original,
    wordsIn: (locale) => words.get(locale) ?? original.wordsIn(locale),
    // The website has no such language; only these tests ask for one.
    localeFor: (header, chosen) => {
      const [first = ''] = header?.split(/[,;-]/, 1) ?? []
      return words.has(first) ? (first as 'en') : original.localeFor(header, chosen)
    },
  }
})

/** Runs in the page: elements that hide a part of their text, other than by an ellipsis. */
const CUT = `[...document.querySelectorAll('body *')].filter((element) => {
  const { overflowX, textOverflow } = getComputedStyle(element)
  const isHidden = element.tagName === 'INPUT' || element.clientWidth <= 1 || textOverflow === 'ellipsis' || !['hidden', 'clip'].includes(overflowX)
  return !isHidden && element.scrollWidth > element.clientWidth + 1
}).map((element) => element.outerHTML.slice(0, 120))`

const WIDTHS = [1280, 390] as const
const FOLDER = process.env['SCREENSHOTS']

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([startDemo({ port: 0, settings: UNHURRIED }), launchBrowser()])
})

afterAll(async () => {
  await browser.close()
  await demo.close()
})

interface PageToCheck {
  name: string
  path: string
  language: string
}

async function flawsOf(tab: Tab, { name, path, language }: PageToCheck): Promise<string[]> {
  const { page } = tab
  await page.goto(path)
  const found: string[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    if ((await overflow(tab)) > 0) found.push(`sticks out at the side at ${width} px`)
    found.push(...(await page.evaluate<string[]>(CUT)).map((element) => `cut at ${width} px: ${element}`))
    if (FOLDER) await page.screenshot({ path: join(FOLDER, `${name}-${width}-${language}.png`), fullPage: true })
  }
  return [...found, ...(await findings(tab))]
}

it.each([
  ['eo', 'ltr', '40 % longer'],
  ['ar', 'rtl', 'from right to left'],
])(
  'every page fits and is accessible in %s (%s: %s)',
  async (language, direction) => {
    const english = await openTab(browser, demo.url)
    await signIn(english.page, demo)
    const session = await english.page.context().storageState()
    await english.close()
    const wrong: Record<string, string[]> = {}
    const look = async (tab: Tab, pages: Readonly<Record<string, string>>) => {
      for (const [name, path] of Object.entries(pages)) {
        const found = await flawsOf(tab, { name, path, language })
        if ((await tab.page.evaluate('document.dir')) !== direction) found.push('written in the other direction')
        if (found.length > 0) wrong[name] = found
      }
    }
    const visitor = await openTab(browser, demo.url, { locale: language, reducedMotion: 'reduce' })
    await look(visitor, OPEN_PAGES)
    await visitor.close()
    const tab = await openTab(browser, demo.url, { locale: language, reducedMotion: 'reduce', storageState: session })
    await look(tab, SITE_PAGES)
    await tab.page.goto('/search?q=climate')
    const read = await tab.page.locator('a[href^="/read?"]').first().getAttribute('href')
    await look(tab, { read: read ?? '' })
    expect(wrong).toEqual({})
    expect(tab.complaints).toEqual([])
    await tab.close()
  },
  600_000,
)
