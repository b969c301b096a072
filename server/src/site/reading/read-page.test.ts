import { readFileSync } from 'node:fs'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { extractPage } from '@bowerbird/reader/extract-page.ts'
import { describe, expect, it } from 'vitest'
import { ReplyMemory } from '../../rate-limit/reply-memory.ts'
import type { ReadOutcome } from '../../reader/reader.ts'
import { createKeyedHash } from '../../text/cryptography.ts'
import { createPictures } from '../pictures.ts'
import { resultsPage } from '../search/results-page.ts'
import { openStagedSearch } from '../search/search.test-harness.ts'
import { openSiteStage, type SiteStage, type SiteStubs } from '../site.test-harness.ts'
import { readPage } from './read-page.ts'

const ADA = { userId: '7', username: 'ada', isAdmin: false, sessionId: '1' }
const BEN = { ...ADA, userId: '8', username: 'ben' }

let now = Date.UTC(2026, 10, 15, 9, 30)
let stage: SiteStage | undefined

const pageOf = async (body: string | Buffer): Promise<ReadOutcome> => ({
  ok: true,
  address: 'https://pages.example/kind/',
  fetchedAt: now,
  page: await extractPage({
    bytes: Buffer.from(body),
    contentType: 'text/html',
    address: 'https://pages.example/kind/',
    format: 'blocks',
  }),
})

const fixture = (name: string) =>
  pageOf(readFileSync(new URL(`../../../../reader/fixtures/${name}.html`, import.meta.url)))

async function open(read: () => Promise<ReadOutcome>, services: Partial<SiteStubs> = {}) {
  const fetched: string[] = []
  const reading = {
    sign: createKeyedHash('of tests', 'links to read'),
    read: (address: string) => {
      fetched.push(address)
      return read()
    },
  }
  const answers = { answer: async () => null } as unknown as SiteStubs['answers']
  const cards = { cards: async () => ({ cards: {} }) } as unknown as SiteStubs['cards']
  const { search } = openStagedSearch()
  const given = { reading, search, answers, cards, clock: () => now, ...services }
  stage = await openSiteStage(given, [resultsPage, readPage])
  const of = (viewer?: typeof ADA) => {
    const { get } = (stage as SiteStage).browser(viewer)
    const links = async () =>
      [...(await get('/search?q=climate&date=m')).body.matchAll(/href="(\/read\?[^"]+)"/g)].map(([, path = '']) =>
        path.replaceAll('&amp;', '&'),
      )
    return { get, links }
  }
  return { fetched, of }
}

describe('/read', () => {
  it('shows the text of a result with author, date and site, and a link back to the results', async () => {
    const { fetched, of } = await open(() => fixture('article/lighthouse'))
    const { get, links } = of(ADA)
    const [path = ''] = await links()
    const reply = await get(path)
    expect(reply.status).toBe(200)
    expect(fetched).toEqual([new URLSearchParams(path.split('?')[1]).get('url')])
    expect(reply.body).toContain('<h1>The lamp that never went out</h1>')
    const text = reply.text
    for (const fact of ['Ines Calloway', 'Harbour Gazette', '4 March 2026', 'British English', 'min read']) {
      expect(text).toContain(fact)
    }
    expect(reply.body).toMatch(/<time datetime="2026-03-04T[^"]+">4 March 2026<\/time>/)
    expect(reply.body).toContain('href="/search?q=climate&amp;date=m"')
    expect(reply.body).toContain('name="q" value="climate"')
    expect(reply.body).toContain('<div lang="en-GB" dir="ltr">')
  })

  it('has no script, and its policy allows none', async () => {
    const { of } = await open(() => fixture('article/lighthouse'))
    const { get, links } = of()
    const { body, headers } = await get((await links())[0] ?? '')
    expect(body).not.toContain('<script')
    expect(headers['content-security-policy']).not.toMatch(/script-src|connect-src/)
    expect(headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'")
  })

  it('keeps the writing direction of a right-to-left page', async () => {
    const { of } = await open(() => fixture('rtl/library'))
    const { get, links } = of()
    expect((await get((await links())[0] ?? '')).body).toMatch(/<div lang="(?:ar|he|fa)[^"]*" dir="rtl">/)
  })

  it('loads pictures only through this site', async () => {
    const text = 'Enough words about a harbour that has seen many ships come and go. '.repeat(12)
    const read = () =>
      pageOf(`<html><body><article><h1>Ships</h1><p>${text}<img src="/ship.jpg" alt="A &lt;ship&gt;" width="640" height="480">
<img src="https://count.example/dot.gif" width="1" height="1"></p><p>${text}</p></article></body></html>`)
    const fetch = async () => ({ type: 'image/png', bytes: Buffer.from('') })
    const pictures = createPictures({ instanceSecret: 'of tests', clock: () => now, fetch, memory: new ReplyMemory() })
    const { of } = await open(read, { pictures })
    const { get, links } = of()
    const { body } = await get((await links())[0] ?? '')
    const sources = [...body.matchAll(/<img src="([^"]+)" alt="([^"]*)"/g)].map(([, source, alt]) => [source, alt])
    expect(sources).toEqual([
      [
        expect.stringMatching(/^\/pictures\/picture\?s=[\w-]+&amp;u=https%3A%2F%2Fpages\.example%2Fship\.jpg$/),
        'A &lt;ship&gt;',
      ],
    ])
  })

  it.each([
    ['nobody has signed', (path: string) => path.replace(/s=[\w-]+/, 's=x')],
    [
      'is another than the one that was signed',
      (path: string) => path.replace(/url=[^&]+/, 'url=http%3A%2F%2F10.0.0.1%2F'),
    ],
    ['has no signature', (path: string) => path.replace(/&s=[\w-]+/, '')],
  ])('403: an address that %s is neither fetched nor shown', async (_what, forge) => {
    const { fetched, of } = await open(() => fixture('article/lighthouse'))
    const { get, links } = of()
    const reply = await get(forge((await links())[0] ?? ''))
    expect(reply.status).toBe(403)
    expect(fetched).toEqual([])
    expect(reply.body).not.toMatch(/href="https?:/)
    expect(reply.body).toContain('href="/search?q=climate&amp;date=m"')
  })

  it('403: a link works only for the account that was shown it', async () => {
    const { fetched, of } = await open(() => fixture('article/lighthouse'))
    const [path = ''] = await of(ADA).links()
    expect((await of(BEN).get(path)).status).toBe(403)
    expect((await of().get(path)).status).toBe(403)
    expect(fetched).toEqual([])
    expect((await of(ADA).get(path)).status).toBe(200)
  })

  it('403: a link is valid for two hours, and not for three', async () => {
    const { of } = await open(() => fixture('article/lighthouse'))
    const { get, links } = of()
    const [path = ''] = await links()
    now += 2 * 3_600_000
    expect((await get(path)).status).toBe(200)
    now += 3_600_000
    expect((await get(path)).status).toBe(403)
  })

  it.each([
    [{ ok: false, reason: 'robots' }, 'does not allow programs to read this page'],
    [{ ok: false, reason: 'status', status: 410 }, 'answered with HTTP 410'],
  ] as const)('422: %j is explained in a sentence, with a link to the original', async (outcome, sentence) => {
    const { of } = await open(async () => outcome)
    const { get, links } = of()
    const [path = ''] = await links()
    const reply = await get(path)
    expect(reply.status).toBe(422)
    expect(reply.body).toContain(sentence)
    expect(reply.body).toContain(`href="${new URLSearchParams(path.split('?')[1]).get('url')}"`)
  })

  it('503: too many pages are being read', async () => {
    const { of } = await open(async () => {
      throw new UpstreamError('busy', 'too many')
    })
    const { get, links } = of()
    const reply = await get((await links())[0] ?? '')
    expect(reply).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  })

  it('404: an instance that reads no pages has no link and no page', async () => {
    const { of } = await open(() => fixture('article/lighthouse'), { reading: undefined })
    const { get, links } = of()
    expect(await links()).toEqual([])
    expect((await get('/read?url=https%3A%2F%2Fpages.example%2F&s=x')).status).toBe(404)
  })
})
