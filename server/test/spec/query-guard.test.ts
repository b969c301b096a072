// QUERY_GUARD on a whole instance: what providers are asked, and what is stored.
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { describe, expect, it } from 'vitest'
import { useTestInstance } from '../support/test-instance.ts'
import { WITHOUT_RATE_LIMIT } from './without-upstream-rate-limit.ts'

const IBAN = 'DE89370400440532013000'

const SLUGS = [...new Set([...ALL_ENGINES, ...ALL_SOURCES].map(({ slug }) => slug))]

const server = useTestInstance({ ...WITHOUT_RATE_LIMIT, QUERY_GUARD: 'redact', SITE_ACCESS: 'public' })

/** Everything that any provider was sent. */
const sent = (): string[] =>
  SLUGS.flatMap((slug) => server.sandbox.calls(slug)).map(({ path, query, body }) =>
    [decodeURIComponent(path), ...Object.values(query), body].join(' '),
  )

describe('QUERY_GUARD=redact', () => {
  it('no provider and no line of the log gets a secret, whichever endpoint or page it was sent to', async () => {
    for (const endpoint of ['web', 'images', 'suggest', 'cards', 'instant', 'maps'])
      await server.api.get(`/api/v1/${endpoint}/?q=weather+in+${IBAN}`)
    const page = await fetch(`${server.url}/search?q=weather+in+${IBAN}`)
    expect(new URL(page.url).searchParams.get('q')).toBe('weather in IBAN')
    expect(await page.text()).toContain('Left out of this search: IBAN.')
    expect(sent().some((text) => text.includes('weather in IBAN'))).toBe(true)
    expect(sent().filter((text) => text.includes(IBAN))).toEqual([])
    expect(server.logged()).not.toContain(IBAN)
  })
})
