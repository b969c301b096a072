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

/** The tabs and languages in which too little is found. */
async function findGaps({ api }: TestInstance, tabs: readonly Tab[]): Promise<string[]> {
  const gaps: string[] = []
  for (const tab of tabs) {
    const counts = LANGUAGES.map(async (lang) => {
      const params = new URLSearchParams({ q: QUERIES[lang] ?? '', lang }).toString()
      const { status, json } = await api.get(`/api/v1/${tab}/?${params}`)
      return status === 200 ? await countInLanguage(json.results, lang) : 0
    })
    for (const [at, count] of (await Promise.all(counts)).entries())
      if (count < ENOUGH) gaps.push(`${tab} ${LANGUAGES[at]}: ${count}`)
  }
  return gaps
}

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
    expect(await findGaps(server, tabs)).toEqual([])
    // No provider with a key was called.
    for (const slug of ['brave', 'mojeek', 'you', 'firecrawl'])
      expect([slug, server.sandbox.callCount(slug)]).toEqual([slug, 0])
  })
})
