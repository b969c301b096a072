// Which tab a category means, on an instance that serves science and code and on one that doesn't.

import type { Tab } from '@bowerbird/engines/engine.ts'
import type { FastifyRequest } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createSearxngEngines, searxngConfig } from './searxng-engines.ts'
import { createSearxngReader, SEARXNG_FIELDS } from './searxng-params.ts'

const enginesOf = (...served: Tab[]) =>
  createSearxngEngines({ slotNames: ['engine_a'], labelOf: (_slot, tab) => (served.includes(tab) ? 'Someone' : '') })

async function tabFor(categories: string, ...served: Tab[]): Promise<Tab | undefined> {
  // As much of a request as is read.
  const request = { method: 'GET', query: { q: 'climate', categories } } as unknown as FastifyRequest
  const reading = await createSearxngReader(enginesOf(...served))(request, SEARXNG_FIELDS)
  return reading.ok ? reading.params.tab : undefined
}

describe('categories', () => {
  it.each([
    ['science', 'science'],
    ['it', 'code'],
    ['files,IT,science', 'code'],
  ])('%s is the tab %s', async (categories, tab) => {
    expect(await tabFor(categories, 'web', 'science', 'code')).toBe(tab)
  })

  it.each(['science', 'it'])(
    '%s is a web search if no engine serves it, like any unknown category',
    async (category) => {
      expect(await tabFor(category, 'web')).toBe('web')
      expect(await tabFor(`${category},news`, 'web', 'news')).toBe('news')
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
