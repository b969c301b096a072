// What an instance without any key finds, by tab and language, counted by the language of the results: every cell with
// KEYLESS_ENGINES=all, and with the default, `foundations`, web, images, videos, science and code. Only the sandbox is called.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { detectLanguage } from '../../src/text/detect-language.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

/** '' is automatic. */
const QUERIES: Readonly<Record<string, string>> = {
  '': 'how does a heat pump work',
  en: 'how does a heat pump work',
  de: 'wie funktioniert eine wärmepumpe',
  fr: 'comment fonctionne une pompe à chaleur',
  es: 'cómo funciona una bomba de calor',
  it: 'come funziona una pompa di calore',
  pt: 'como funciona uma bomba de calor',
  nl: 'hoe werkt een warmtepomp',
  pl: 'jak działa pompa ciepła',
  ja: 'ヒートポンプの仕組みについて',
}
const LANGUAGES = Object.keys(QUERIES)
const CODES = LANGUAGES.filter((lang) => lang !== '')
const ENOUGH = 5

const KEYS = ALL_ENGINES.flatMap(({ settings }) => Object.values(settings).filter(({ isSecret }) => isSecret))
const NO_KEYS = Object.fromEntries(KEYS.map(({ env }) => [env, undefined]))

const start = (keyless: string): Promise<TestInstance> =>
  startTestInstance({ ...NO_KEYS, ...WITHOUT_RATE_LIMIT, ENGINE_C: undefined, KEYLESS_ENGINES: keyless })

interface Result {
  title: string
  description?: string
}

async function countInLanguage(results: readonly Result[], lang: string): Promise<number> {
  if (lang === '') return results.length
  const isInLanguage = await Promise.all(
    results.map(async ({ title, description = '' }) => {
      const [likeliest] = await detectLanguage(`${title}. ${description}`, CODES)
      return likeliest?.code === lang
    }),
  )
  return isInLanguage.filter(Boolean).length
}

type Table = Record<Tab, Record<string, number>>

async function measure({ api }: TestInstance): Promise<Table> {
  const table: Table = { web: {}, images: {}, news: {}, videos: {}, science: {}, code: {} }
  for (const tab of TABS) {
    for (const lang of LANGUAGES) {
      const { status, json } = await api.get(
        `/api/v1/${tab}/?q=${encodeURIComponent(QUERIES[lang] ?? '')}&lang=${encodeURIComponent(lang)}`,
      )
      table[tab][lang] = status === 200 ? await countInLanguage(json.results, lang) : 0
    }
  }
  return table
}

const print = (keyless: string, table: Table): void => {
  const line = (cells: readonly (string | number)[]) => cells.map((cell) => String(cell).padStart(7)).join('')
  const rows = TABS.map((tab) => line([tab, ...LANGUAGES.map((lang) => table[tab][lang] || '')]))
  process.stdout.write(
    [`KEYLESS_ENGINES=${keyless}`, line(['', ...LANGUAGES.map((lang) => lang || 'auto')]), ...rows, ''].join('\n'),
  )
}

const tooFew = (table: Table, tabs: readonly Tab[]): string[] =>
  tabs.flatMap((tab) => LANGUAGES.filter((lang) => (table[tab][lang] ?? 0) < ENOUGH).map((lang) => `${tab} ${lang}`))

describe.each([
  ['all', TABS],
  ['foundations', ['web', 'images', 'videos', 'science', 'code']],
] as const)('KEYLESS_ENGINES=%s, without a key', (keyless, tabs) => {
  let server: TestInstance
  beforeAll(async () => {
    server = await start(keyless)
  })
  afterAll(() => server.close())

  it(`finds ${ENOUGH} results in each language, in ${tabs.join(', ')}`, async () => {
    const table = await measure(server)
    print(keyless, table)
    expect(tooFew(table, tabs)).toEqual([])
    // No provider with a key was called.
    for (const slug of ['brave', 'mojeek', 'you', 'firecrawl'])
      expect([slug, server.sandbox.callCount(slug)]).toEqual([slug, 0])
  })
})
