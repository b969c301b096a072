import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openSiteStage, type SiteStubs } from '../site.test-harness.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedSearch } from './search.test-harness.ts'

const SLOW = { fixture: 'mojeek-web-page', afterMs: 1_000 }

async function open(behaviours: Behaviours, services: Partial<SiteStubs> = {}) {
  const answers = { answer: async () => null } as unknown as SiteStubs['answers']
  const cards = { cards: async () => ({ cards: {} }) } as unknown as SiteStubs['cards']
  const { search } = openStagedSearch(behaviours)
  const { browser } = await openSiteStage({ search, answers, cards, ...services }, [resultsPage])
  return browser().get
}

/** The page without its template, as whoever has no script sees it. */
const withoutTemplate = (body: string) => body.replace(/<template[\s\S]*?<\/template><wbr hidden>\s*/, '')
const linksIn = (body: string) => [...body.matchAll(/class="result-link" href="([^"]+)"/g)].map(([, link]) => link)
const templateOf = (body: string) => /<template data-early[\s\S]*?<\/template>/.exec(body)?.[0] ?? ''

// Each of them waits for its engine, so they wait together.
describe.concurrent('a search with a slow engine', () => {
  it('sends the results of the other engines first, and then the complete page', async () => {
    const get = await open({ mojeek: SLOW })
    const { status, body } = await get('/search?q=climate')
    expect(status).toBe(200)
    expect(templateOf(body)).toContain('Waiting for Mojeek…')
    expect(linksIn(templateOf(body)).length).toBeGreaterThan(0)
    const cached = (await get('/search?q=climate')).body
    expect(cached).not.toContain('<template')
    expect(linksIn(withoutTemplate(body))).toEqual(linksIn(cached))
    expect(linksIn(cached).length).toBeGreaterThan(linksIn(templateOf(body)).length)
  })

  it('loads the script that puts them in place; other pages don’t', async () => {
    const get = await open({ mojeek: SLOW })
    const script = /<script type="module" src="\/assets\/streaming\.[^"]+" async>/
    expect((await get('/search?q=climate')).body).toMatch(script)
    expect((await get('/search?q=climate')).body).not.toMatch(/streaming/)
  })

  it('can be compressed', async () => {
    const get = await open({ mojeek: SLOW })
    const reply = await get('/search?q=climate', { 'accept-encoding': 'gzip' })
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', 'x-accel-buffering': 'no' })
    expect(gunzipSync(reply.rawPayload).toString()).toMatch(/<template[\s\S]+<\/html>\n$/)
  })

  it('names the engines that failed at the end', async () => {
    const get = await open({ mojeek: { fails: 'unreachable', afterMs: 1_000 } })
    const { status, body } = await get('/search?q=climate')
    expect(status).toBe(200)
    expect(templateOf(body)).not.toBe('')
    expect(withoutTemplate(body)).toContain('Mojeek could not be reached; these results are from Brave.')
  })

  it.each([
    {
      when: 'while no engine has answered',
      behaviours: { brave: { fails: 'unreachable' }, mojeek: SLOW },
      path: '/search?q=climate',
      status: 200,
    },
    {
      when: 'if all engines fail',
      behaviours: { brave: { fails: 'timeout', afterMs: 500 }, mojeek: { fails: 'timeout' } },
      path: '/search?q=climate',
      status: 503,
    },
    {
      when: 'on the images tab',
      behaviours: { openverse: { fixture: 'openverse-images-page', afterMs: 1_000 } },
      path: '/search?q=climate&tab=images',
      status: 200,
    },
  ] as const)('waits for the complete page $when', async ({ behaviours, path, status }) => {
    const get = await open(behaviours)
    const reply = await get(path)
    expect(reply.status).toBe(status)
    expect(reply.body).not.toContain('<template')
  })
})
