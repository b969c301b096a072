// An operator who grades a few searches through the real pages, on what fourteen real engines answered in 2013 (FedWeb,
// every result judged by people): three of them at a time are served as this instance's engines, and the operator gives the
// grades of the collection. With ten searches graded, the merge must be 10 % better than with equal weights on the forty
// searches that were not graded, and with three 8 %, on average over the triples. Skipped only where the data isn't there.
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JudgedHit, type JudgedTopic, readJudgedRuns } from '../../../bench/judged-runs.ts'
import { createUser } from '../../src/accounts/users.ts'
import { mean, ndcg } from '../../src/search/calibration/ndcg.ts'
import { seededRandom, shuffled } from '../../src/search/calibration/seeded-random.ts'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { type FormBrowser, openFormBrowser, plainText } from '../support/form-browser.ts'
import { recordFigures } from '../support/record-figures.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const FEDWEB = join(dirname(process.env['BOWERBIRD_JUDGED_DATA'] ?? ''), 'fedweb-2013-web-top10.json')
const PASSWORD = 'correct horse battery'
const SEED = 27
const TRIPLES = 12
const [FEW, MORE] = [3, 10]

const ENGINES = ['brave', 'mojeek', 'marginalia'] as const
const ENVELOPES = {
  brave: (results: object[]) => ({ type: 'search', query: { original: '' }, web: { results } }),
  mojeek: (results: object[]) => ({ response: { status: 'OK', results } }),
  marginalia: (results: object[]) => ({ results }),
}

describe.skipIf(!existsSync(FEDWEB))('calibrating on FedWeb through the pages', () => {
  const { runs, topics } = existsSync(FEDWEB) ? readJudgedRuns(FEDWEB) : { runs: [], topics: [] }
  const byId = new Map(topics.map((topic) => [String(topic.id), topic]))
  let provider: Server
  let server: TestInstance
  let admin: FormBrowser

  /** A query names the triple and the topic: `case 3 topic 7001`. */
  const draws = drawTriples(runs.length, topics)

  beforeAll(async () => {
    provider = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://provider.test')
      const engine = ENGINES.findIndex((slug) => url.pathname.startsWith(`/${slug}/`))
      const [, which = '', topic = ''] =
        /case (\d+) topic (\d+)/.exec(decodeURIComponent(request.url ?? '').replaceAll('+', ' ')) ?? []
      const run = draws[Number(which)]?.triple[engine] ?? -1
      const hits = byId.get(topic)?.rankings[run] ?? []
      const results = hits.map(({ url }) => ({ url, title: 'A page', description: 'Text', desc: 'Text' }))
      const body = ENVELOPES[ENGINES[engine] ?? 'brave'](results)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const { port } = provider.address() as AddressInfo // a listening TCP server has an address with a port
    server = await startTestInstance({
      ...WITHOUT_RATE_LIMIT,
      ...Object.fromEntries(ENGINES.map((slug) => [`${slug.toUpperCase()}_URL`, `http://127.0.0.1:${port}/${slug}`])),
      ENGINE_A: 'brave',
      ENGINE_B: 'mojeek',
      ENGINE_C: 'marginalia',
      API_THROTTLE_BURST: '1000000/min',
      API_THROTTLE_SUSTAINED: '10000000/day',
    })
    await createUser(server.instance.services.access, { username: 'grace', password: PASSWORD, isAdmin: true })
    admin = openFormBrowser(server.url)
    await signIn()
  })
  afterAll(async () => {
    provider?.close()
    provider?.closeAllConnections()
    await server?.close()
  })

  /** Applying asks for a recent sign-in, and many grades take longer than that lasts. */
  const signIn = async () => {
    admin = openFormBrowser(server.url)
    await admin.submit('/login', [
      ['username', 'grace'],
      ['password', PASSWORD],
    ])
  }

  /** Grades until so many searches are finished. */
  async function gradeUntil(path: string, finished: number, topic: (query: string) => JudgedTopic): Promise<void> {
    for (let searches = 0; ; ) {
      const page = await admin.ask(`${path}/grade`)
      if (page.body.includes(`action="${path}/grade"`)) {
        const address = plainText(/class="result-link" href="([^"]+)"/.exec(page.body)?.[1] ?? '')
        const query = /case \d+ topic \d+/.exec(page.body)?.[0] ?? ''
        const hit = topic(query)
          .rankings.flat()
          .find(({ url }) => url === address)
        await admin.fillIn(page, `${path}/grade`, { grade: gradeOf(hit) })
        continue
      }
      if (!page.body.includes(`action="${path}/search"`)) return
      const place = Number(/Search (\d+) of/.exec(page.body)?.[1])
      searches = place - 1
      if (searches >= finished) return
      await admin.fillIn(page, `${path}/search`)
    }
  }

  async function qualityOn(which: number, tested: readonly JudgedTopic[]): Promise<number> {
    const qualities = tested.map(async (topic) => {
      const { json } = await server.api.get(`/api/v1/web/?q=${encodeURIComponent(`case ${which} topic ${topic.id}`)}`)
      const { results } = json as unknown as { results: { url: string }[] } // the reply's schema is tested elsewhere
      const grades = new Map(topic.rankings.flat().map(({ url, grade }) => [url, grade]))
      return ndcg(
        results.map(({ url }) => grades.get(url) ?? 0),
        topic.ideal,
      )
    })
    return mean(await Promise.all(qualities))
  }

  it('three graded searches make the merge 8 % better, and ten 10 %', async () => {
    const found: { equal: number; few: number; more: number }[] = []
    for (const [which, { order }] of draws.entries()) {
      await signIn()
      const [graded, tested] = [order.slice(0, MORE), order.slice(MORE)]
      const queries = graded.map(({ id }) => `case ${which} topic ${id}`)
      const created = await admin.fillIn('/admin/ranking/new', '/admin/ranking', { queries: queries.join('\n') })
      const path = created.location.replace('/grade', '')
      const topicOf = (query: string) => byId.get(query.split(' ').at(-1) ?? '') ?? expect.unreachable(query)
      const equal = await qualityOn(which, tested)
      const qualityAfter = async (searches: number) => {
        await gradeUntil(path, searches, topicOf)
        // If one of three searches found nothing good, the page says that it is too early, and equal weights stay.
        if (!(await admin.ask(path)).body.includes(`action="${path}/apply"`)) return equal
        expect((await admin.fillIn(path, `${path}/apply`)).location).toBe('/admin/ranking?done=applied')
        return await qualityOn(which, tested)
      }
      const [few, more] = [await qualityAfter(FEW), await qualityAfter(MORE)]
      found.push({ equal, few, more })
      const { access } = server.instance.services
      await access.settings.change(access, { CALIBRATED_WEIGHTS: undefined })
      await expect.poll(() => qualityOn(which, tested), { timeout: 10_000 }).toBe(equal)
    }
    const over = (side: 'equal' | 'few' | 'more') => mean(found.map((each) => each[side]))
    const gains = { few: over('few') / over('equal') - 1, more: over('more') / over('equal') - 1 }
    recordFigures('calibrate-fedweb', { three_percent: gains.few * 100, ten_percent: gains.more * 100 })
    expect(gains.few).toBeGreaterThanOrEqual(0.08)
    expect(gains.more).toBeGreaterThanOrEqual(0.1)
  }, 1_800_000)
})

/** Nothing about them is chosen: engines and searches are drawn with a fixed seed. */
function drawTriples(count: number, topics: readonly JudgedTopic[]) {
  const random = seededRandom(SEED)
  return Array.from({ length: TRIPLES }, () => ({
    triple: shuffled([...Array(count).keys()], random).slice(0, 3),
    order: shuffled(topics, random),
  }))
}

/** The collection has four grades: nothing, relevant, highly relevant, key. */
function gradeOf(hit: JudgedHit | undefined): 'good' | 'fair' | 'bad' {
  const { grade = 0 } = hit ?? {}
  return grade >= 2 ? 'good' : grade === 1 ? 'fair' : 'bad'
}
