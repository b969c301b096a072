// Failing instant answers: a failing source is a 503 and never `null`, and disabled answers don't exist at all.
import { describe, expect, it } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startTestInstance, useTestInstance } from '../support/test-instance.ts'

const PATH = '/api/v1/instant/'

const addressOf = (q: string, lang = ''): string => `${PATH}?q=${encodeURIComponent(q)}&lang=${lang}`

describe('a failing source', () => {
  const server = useTestInstance()

  it.each([
    ['100 usd to eur', 'currency', ['ecb', 'frankfurter']],
    ['weather in paris', 'weather', ['openmeteo', 'openmeteoplaces']],
    ['define serendipity', 'dictionary_definition', ['wiktionary']],
    ['translate hello to french', 'translation', ['libretranslate', 'apertium']],
  ])(
    '503, never null: %s; it does not count as usage, and works again once the source is back',
    async (q, type, slugs) => {
      const key = await server.createKey()
      for (const slug of slugs) server.sandbox.setFault(slug, { kind: 'status', status: 500 })
      const { status, json, headers } = await server.api.get(addressOf(q), { key })
      const other = await server.api.get(addressOf('md5 of hello'), { key })
      for (const slug of slugs) server.sandbox.setFault(slug, undefined)
      expect([status, json]).toEqual([503, { detail: expect.stringMatching(/\w\.$/) }])
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      // An answer without a source is not affected.
      expect(other.json.type).toBe('hash')
      expect((await server.api.get('/api/v1/usage/', { key })).json.searches).toBe(1)
      const isBack = async () => (await server.api.get(addressOf(q), { key })).json?.type === type
      expect(await eventually(isBack, 10_000)).toBe(true)
    },
  )
})

describe('disabled answers', () => {
  it('are neither returned nor in the document', async () => {
    const server = await startTestInstance({ INSTANT_DISABLED: 'own_ip, base64' })
    const replies = await Promise.all(['my ip', 'base64 encode hello'].map((q) => server.api.get(addressOf(q))))
    const { json } = await server.api.get('/api/v1/openapi.json')
    await server.close()
    expect(replies.map(({ text }) => text)).toEqual(['null', 'null'])
    expect(Object.keys(json.components.schemas).filter((name) => /^(?:OwnIp|Base64|Hash)Answer$/.test(name))).toEqual([
      'HashAnswer',
    ])
  })
})
