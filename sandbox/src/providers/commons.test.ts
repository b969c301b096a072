import { describe, expect, it } from 'vitest'
import { commons } from './commons.ts'
import { askProvider } from './provider-testing.ts'

interface Page {
  pageid: number
  index: number
  title: string
}

interface Reply {
  continue?: { gsroffset: number }
  query?: { pages: Page[] }
  error?: { code: string }
}

const AGENT = { 'user-agent': 'Tester/1.0 (tester@example.org)' }
const GOOD = {
  action: 'query',
  format: 'json',
  formatversion: '2',
  generator: 'search',
  gsrnamespace: '6',
  gsrsearch: 'filetype:bitmap|drawing tea',
  gsrlimit: '20',
  prop: 'imageinfo',
  iiprop: 'url|size|mime|timestamp|extmetadata',
  iiurlheight: '180',
}
const ask = (query: Record<string, string> = {}, headers: Record<string, string> = AGENT) =>
  askProvider<Reply>(commons, { path: '/w/api.php', query: { ...GOOD, ...query }, headers })
const pages = (query: Record<string, string> = {}) => ask(query).json.query?.pages ?? []

describe('Commons in the sandbox', () => {
  it('200: a reply has the documented shape', () => {
    expect(ask().json.continue).toEqual({ gsroffset: 20, continue: 'gsroffset||' })
    expect(pages()).toHaveLength(20)
    for (const page of pages()) {
      expect(page).toMatchObject({
        ns: 6,
        title: expect.stringMatching(/^File:.+\.jpg$/),
        imageinfo: [
          {
            thumburl: expect.stringMatching(/^https:/),
            url: expect.stringMatching(/^https:/),
            descriptionurl: expect.stringMatching(/^https?:/),
            mime: 'image/jpeg',
            timestamp: expect.stringMatching(/Z$/),
            extmetadata: { LicenseShortName: { value: expect.any(String) } },
          },
        ],
      })
    }
  })

  it('only the index gives the rank', () => {
    const indexes = pages().map(({ index }) => index)
    expect(indexes).not.toEqual(indexes.toSorted((left, right) => left - right))
    expect(indexes.toSorted((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    expect(Math.min(...pages({ gsroffset: '20' }).map(({ index }) => index))).toBe(21)
  })

  it('keys pages by id without formatversion=2', () => {
    expect(pages({ formatversion: '1' })).not.toSatisfy(Array.isArray)
    for (const [id, page] of Object.entries(pages({ formatversion: '1' }))) expect(page.pageid).toBe(Number(id))
  })

  it('has no query at all when nothing matches', () => {
    for (const query of [{ gsrsearch: 'nothingtofind' }, { gsrsearch: 'filetype:audio tea' }, { gsrnamespace: '0' }]) {
      expect(ask(query).json).toEqual({ batchcomplete: true })
    }
  })

  it('has no safe search', () => {
    expect(pages().some(({ title }) => title.includes('adults only'))).toBe(true)
  })

  it('sends only what was requested', () => {
    expect(JSON.stringify(pages({ prop: 'info' }))).not.toContain('imageinfo')
    expect(JSON.stringify(pages({ iiprop: 'url' }))).not.toContain('mime')
  })

  it.each(['', 'node', 'undici', 'Mozilla/5.0 (X11)', 'curl/8.0'])('403: a client that calls itself "%s"', (agent) => {
    expect(ask({}, { 'user-agent': agent }).status).toBe(403)
  })

  it.each([
    ['missingparam', { gsrsearch: ' ' }],
    ['badvalue', { action: 'edit' }],
    ['badinteger', { gsrlimit: '501' }],
    ['badinteger', { gsroffset: 'x' }],
  ])('200 with an error: %s', (code, query) => {
    const { status, headers, json } = ask(query)
    expect([status, headers['mediawiki-api-error'], json.error?.code]).toEqual([200, code, code])
  })
})
