import { describe, expect, it, vi } from 'vitest'
import { wordsIn } from '../i18n/messages.ts'
import { openSiteStage, type SiteStage } from '../site.test-harness.ts'
import { docsPages } from './docs-pages.ts'

const item = { type: 'object', properties: { title: { type: 'string', description: 'What it is `called`.' } } }

const DOCUMENT = {
  paths: {
    '/api/v1/web/': {
      get: {
        operationId: 'web_search',
        summary: 'Web search',
        description: 'Finds <pages>.',
        parameters: [
          { name: 'q', required: true, description: 'The query.', example: 'a b', schema: { type: 'string' } },
          { name: 'page', required: false, schema: { type: 'integer', minimum: 1, maximum: 50 } },
        ],
        responses: {
          200: {
            headers: { RateLimit: { description: 'What is left.' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Reply' } } },
          },
          429: { description: 'A limit was exceeded.' },
        },
      },
    },
    '/api/v1/instant/': {
      get: {
        operationId: 'instant',
        summary: 'Instant answer',
        responses: {
          200: {
            content: {
              'application/json': { schema: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Known' }] } },
            },
          },
        },
      },
      post: {},
    },
  },
  components: {
    schemas: {
      Reply: { properties: { results: { type: 'array', items: { $ref: '#/components/schemas/Item' } } } },
      Item: item,
      Known: { anyOf: [{ $ref: '#/components/schemas/Coin' }] },
      Coin: { description: 'Heads or tails.', properties: { type: { const: 'coin' }, text: { type: 'string' } } },
    },
  },
}

let stage: SiteStage | undefined

async function get(path: string): Promise<{ status: number; body: string }> {
  stage = await openSiteStage({ openapi: DOCUMENT, isPublic: false }, docsPages)
  const { status, body } = await stage.browser().get(path)
  return { status: status, body }
}

describe('the documentation', () => {
  it('starts with a request that works on this instance', async () => {
    const { body } = await get('/docs')
    expect(body).toContain('http://site.test/api/v1/web/?q=a+b')
    expect(body).toContain('href="/docs/api/instant"')
  })

  it('has a page for each endpoint: parameters, fields, headers, errors, three languages', async () => {
    const { body } = await get('/docs/api/web_search')
    for (const piece of [
      'Finds &lt;pages&gt;.',
      '<code>results[].<wbr>title</code>',
      'What it is <code>called</code>.',
      'array of object',
      'integer 1 to 50',
      'A limit was exceeded.',
      'RateLimit',
      'await fetch(&#39;http://site.test/api/v1/web/?q=a+b&#39;',
      'urllib.request',
      '&quot;title&quot;: &quot;string&quot;',
    ]) {
      expect(body).toContain(piece)
    }
  })

  it('lists the kinds of a reply that has several', async () => {
    const { body } = await get('/docs/api/instant')
    expect(body).toContain('<code>coin</code>')
    expect(body).toContain('Heads or tails.')
    expect(body).toContain('GET, POST /api/v1/instant/')
  })

  it('has the lines for known programs, with the URL of this instance', async () => {
    const { body } = await get('/docs/connect')
    expect(body).toContain('claude mcp add --transport http bowerbird http://site.test/mcp')
    expect(body).toContain('EXTERNAL_WEB_SEARCH_URL=http://site.test/openwebui/search')
    expect(body).toContain('href="/settings/connect/open-webui"')
    // Nobody is told to put a key into a URL where that does not work.
    expect(body).not.toContain('/k/')
  })

  it.each(['/docs', '/docs/connect', '/docs/api/web_search'])('304: %s, to a browser that has it', async (path) => {
    stage = await openSiteStage({ openapi: DOCUMENT, isPublic: false }, docsPages)
    const browser = stage.browser()
    const first = await browser.get(path)
    const etag = String(first.headers.etag)
    expect(first.status).toBe(200)
    expect(etag).toMatch(/^W\/"/)
    const again = await browser.get(path, { 'if-none-match': etag, 'accept-encoding': 'gzip' })
    expect(again).toMatchObject({ status: 304, body: '', headers: { etag: etag } })
    expect(again.headers['cache-control']).toBe('private, no-cache')
    const german = await browser.get(path, { 'if-none-match': etag, 'accept-language': 'de' })
    expect(german.status).toBe(200)
  })

  it('makes a page once in each language, whatever the host', async () => {
    const paths = vi.fn(() => DOCUMENT.paths)
    const document = Object.defineProperty({ components: DOCUMENT.components }, 'paths', { get: paths })
    const docs: { intro: string } = wordsIn('en').docs
    const intro = vi.spyOn(docs, 'intro', 'get')
    stage = await openSiteStage({ openapi: document, publicUrl: '' }, docsPages)
    const from = (host: string, path: string) => stage?.inject({ method: 'GET', url: path, headers: { host } })
    for (const host of ['one.example', 'two.example:8080', '[::1]']) {
      expect((await from(host, '/docs'))?.body).toContain(`http://${host}/api/v1/web/?q=a+b`)
      expect((await from(host, '/docs/api/web_search'))?.body).toContain(`http://${host}/api/v1/web/?q=a+b`)
      expect((await from(host, '/docs/connect'))?.body).toContain(`&quot;http://${host}/mcp&quot;`)
      expect((await from(host, '/docs/api/nothing'))?.status).toBe(404)
      expect((await from(host, '/docs'))?.body).not.toContain('.invalid')
    }
    expect(paths.mock.calls).toHaveLength(1)
    expect(intro.mock.calls).toHaveLength(1)
    intro.mockRestore()
  })
})
