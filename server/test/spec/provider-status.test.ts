// What status/ lists, and the exact form of an entry.
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

// Mojeek has no key, so it is hidden. Kagi is a custom slot.
const server = useTestInstance({ MOJEEK_API_KEY: '', ENGINE_D: 'kagi' })

const providers = async () => (await server.api.get('/api/v1/status/')).json.providers

/** Slots are listed under their own names; other providers may be listed too. */
const slots = async () => (await providers()).filter(({ slug }: { slug: string }) => slug.startsWith('engine_'))

describe('provider status', () => {
  it('before any search every provider is unknown, with empty timestamps', async () => {
    expect(await slots()).toEqual(
      [
        ['engine_a', 'Brave'],
        ['engine_c', 'Marginalia'],
        ['engine_d', 'Kagi'],
      ].map(([slug, name]) => ({
        slug,
        name,
        group: 'web',
        monitor: 'query',
        state: 'unknown',
        checked_at: '',
        last_ok_at: '',
        last_error: '',
        source: '',
      })),
    )
  })

  it('each slug is listed once, even if one provider serves several groups', async () => {
    const listed: { slug: string; name: string }[] = await providers()
    expect(new Set(listed.map(({ slug }) => slug)).size).toBe(listed.length)
    expect(listed.filter(({ name }) => name === 'Brave').map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['engine_a', 'brave_images']),
    )
  })

  it('after a search each entry still has exactly the documented keys, and ISO 8601 timestamps', async () => {
    const before = Date.now()
    await server.api.get(`/api/v1/web/?q=${freshQuery()}`)
    for (const provider of await slots()) {
      expect(Object.keys(provider)).toEqual([
        'slug',
        'name',
        'group',
        'monitor',
        'state',
        'checked_at',
        'last_ok_at',
        'last_error',
        'source',
      ])
      expect(provider).toMatchObject({ group: 'web', monitor: 'query', state: 'up', last_error: '', source: '' })
      expect(provider.checked_at).toMatch(ISO)
      expect(provider.last_ok_at).toBe(provider.checked_at)
      expect(Date.parse(provider.checked_at)).toBeGreaterThanOrEqual(before)
      expect(Date.parse(provider.checked_at)).toBeLessThanOrEqual(Date.now())
    }
  })

  it('a provider without its API key is not listed, neither as down nor as unknown', async () => {
    const listed = await providers()
    expect(listed.map(({ name }: { name: string }) => name)).not.toContain('Mojeek')
    expect(listed.map(({ slug }: { slug: string }) => slug)).not.toContain('engine_b')
  })

  it('requesting the status calls no provider', async () => {
    server.sandbox.reset()
    await providers()
    for (const slug of ['brave', 'marginalia', 'kagi']) expect(server.sandbox.callCount(slug)).toBe(0)
  })
})
