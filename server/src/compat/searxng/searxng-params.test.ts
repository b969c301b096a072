// Which tab a category means, on an instance that serves science and code and on one that doesn't.

import type { Tab } from '@bowerbird/engines/engine.ts'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createSearxngEngines, searxngConfig } from './searxng-engines.ts'
import { readSearxngParams, SEARXNG_FIELDS } from './searxng-params.ts'

const enginesOf = (...served: Tab[]) =>
  createSearxngEngines({ slotNames: ['engine_a'], labelOf: (_slot, tab) => (served.includes(tab) ? 'Someone' : '') })

async function read(query: Record<string, string>, ...served: Tab[]) {
  // As much of a request as is read.
  const request = { method: 'GET', query } as unknown as FastifyRequest
  const reading = await readSearxngParams(request, SEARXNG_FIELDS, enginesOf(...served))
  return reading.ok ? reading.params : undefined
}

const tabsFor = async (categories: string, ...served: Tab[]) =>
  (await read({ q: 'climate', categories }, ...served))?.searches.map(({ tab }) => tab)

describe('categories', () => {
  it.each([
    ['science', ['science']],
    ['it', ['code']],
    ['files,IT,science', ['code', 'science']],
    ['general,images,web', ['web', 'images']],
    ['', ['web']],
  ])('%s: %j', async (categories, tabs) => {
    expect(await tabsFor(categories, 'web', 'science', 'code')).toEqual(tabs)
  })

  it.each(['science', 'it'])(
    '%s is a web search if no engine serves it, like any unknown category',
    async (category) => {
      expect(await tabsFor(category, 'web')).toEqual(['web'])
      expect(await tabsFor(`${category},news`, 'web', 'news')).toEqual(['news'])
    },
  )

  it('the configuration lists the categories that are served', () => {
    const always = ['general', 'images', 'news', 'videos']
    expect(searxngConfig(enginesOf('web')).categories).toEqual(always)
    expect(searxngConfig(enginesOf('web', 'code')).categories).toEqual([...always, 'it'])
    expect(searxngConfig(enginesOf('science', 'code')).engines.map(({ categories }) => categories)).toEqual([
      ['science'],
      ['it'],
    ])
  })
})

describe('modifiers before a query', () => {
  it.each([
    ['!images climate', 'climate', 'images', [], ''],
    [':de climate', 'climate', 'web', [], 'de'],
    ['!someone climate', 'climate', 'web', ['engine_a'], ''],
    ['!a climate', 'climate', 'web', ['engine_a'], ''],
    ['!ENGINE_A climate', 'climate', 'web', ['engine_a'], ''],
    [':all climate', 'climate', 'web', [], ''],
    ['!nobody climate', '!nobody climate', 'web', [], 'fr'],
    ['!!g climate', '!!g climate', 'web', [], 'fr'],
    [':root climate', ':root climate', 'web', [], 'fr'],
    ['climate !images :de', 'climate !images :de', 'web', [], 'fr'],
  ] as const)('%s', async (...row) => {
    const [q, text, tab, engines, lang] = row
    const params = await read({ q, language: lang === 'fr' ? 'fr' : '' }, 'web', 'images', 'news')
    expect([params?.text, params?.searches]).toEqual([
      text,
      [{ tab, request: { text, page: 1, engines, safe: true, date: undefined, lang } }],
    ])
  })

  it('a region of the language is the region of the search', async () => {
    const params = await read({ q: ':pt-BR !news climate change' }, 'web', 'news')
    const request = {
      text: 'climate change',
      page: 1,
      engines: [],
      safe: true,
      date: undefined,
      lang: 'pt-BR',
      region: 'BR',
    }
    expect(params?.searches).toEqual([{ tab: 'news', request }])
  })

  it('win over the parameters, and are no query by themselves', async () => {
    const params = await read({ q: '!news :de climate', categories: 'images', language: 'fr' }, 'web', 'images', 'news')
    expect(params?.searches).toMatchObject([{ tab: 'news', request: { lang: 'de' } }])
    expect(await read({ q: '!news :de' }, 'news')).toBeUndefined()
  })
})
