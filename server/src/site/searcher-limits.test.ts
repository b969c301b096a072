// Who searches on the site has limits, as a key has: a stranger must not spend what the operator pays for.
import { describe, expect, it } from 'vitest'
import { html } from './http/html.ts'
import { definePage } from './http/page.ts'
import { openSiteStage, type SiteStage } from './site.test-harness.ts'

const ADA = { userId: '7', username: 'ada', isAdmin: false, sessionId: '1' }

let stage: SiteStage | undefined

const page = definePage({
  method: 'GET',
  path: '/search',
  access: 'searcher',
  quota: 'search',
  handle: () => ({ title: 'Results', body: html`<p>Results</p>` }),
})

describe('the limits of a searcher', () => {
  it('are spent for the account wherever it is used, and for the network of who has none', async () => {
    const searchQuery: string[] = []
    const consume = async (searcher: string, quota: string) => {
      searchQuery.push(`${searcher}: ${quota}`)
      return 0
    }
    // The counter is named by a mark of the network, and never by the network.
    stage = await openSiteStage({ consume, networkPseudonym: (network) => `<${network}>` }, [page])
    expect((await stage.browser(ADA).get('/search')).status).toBe(200)
    expect((await stage.browser().get('/search')).status).toBe(200)
    expect(searchQuery).toEqual(['user 7: search', 'network <127.0.0.1>: search'])
  })

  it('429: a searcher over the limit is told when to retry, and no provider is called', async () => {
    stage = await openSiteStage({ consume: async () => 42 }, [page])
    const reply = await stage.browser().get('/search')
    expect(reply.status).toBe(429)
    expect(reply.headers['retry-after']).toBe('42')
    expect(reply.body).toContain('42')
    expect(reply.body).not.toContain('Results')
  })
})
