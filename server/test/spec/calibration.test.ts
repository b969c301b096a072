// Calibrating an instance as an administrator would, in a browser without script: choose queries, grade blind, look at what
// the grades say, apply, clear, delete. And that searches follow, and say where their weights come from.
import { beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { type FormBrowser, plainText } from '../support/form-browser.ts'
import { signIn } from '../support/oauth-walk.ts'
import { useTestInstance } from '../support/test-instance.ts'

const server = useTestInstance({
  API_THROTTLE_BURST: '100000/min',
  API_THROTTLE_SUSTAINED: '1000000/day',
  ENGINE_A: 'brave',
  ENGINE_B: 'mojeek',
  ENGINE_C: 'marginalia',
  ENGINE_C_WEIGHT: '1.5',
})
let admin: FormBrowser
beforeAll(async () => {
  await createUser(server.instance.services.access, { username: 'grace', password: PASSWORD, isAdmin: true })
  admin = await signIn(server.url, 'grace', PASSWORD)
})

const PASSWORD = 'correct horse battery'
const QUERIES = ['copper lamps', 'tide tables', 'oak diseases']

interface Explained {
  results: {
    explain: { score: number; engines: { engine: string; weight: number; weight_from: string; addition: number }[] }
  }[]
}

async function originsOf(query: string): Promise<Record<string, string>> {
  const { json } = await server.api.get(`/api/v1/web/?q=${encodeURIComponent(query)}&include=explain`)
  const { results } = json as unknown as Explained // the reply's schema is tested elsewhere
  for (const { explain } of results)
    expect(explain.engines.reduce((sum, { addition }) => sum + addition, 0)).toBe(explain.score)
  return Object.fromEntries(
    results.flatMap(({ explain }) => explain.engines.map((each) => [each.engine, each.weight_from])),
  )
}

const addressOn = (page: string): string => plainText(/class="result-link" href="([^"]+)"/.exec(page)?.[1] ?? '')

/** Grades everything, and gives what the pages showed before each grade. */
async function gradeAll(path: string, gradeOf: (address: string) => string): Promise<string[]> {
  const shown: string[] = []
  for (;;) {
    const page = await admin.ask(`${path}/grade`)
    expect(page.status).toBe(200)
    if (page.body.includes(`action="${path}/grade"`)) {
      shown.push(page.body)
      await admin.fillIn(page, `${path}/grade`, { grade: gradeOf(addressOn(page.body)) })
    } else if (page.body.includes(`action="${path}/search"`)) await admin.fillIn(page, `${path}/search`)
    else return shown
  }
}

describe('Administration → Ranking', () => {
  let path: string

  it('starts with a list of queries, and refuses an empty one', async () => {
    const refused = await admin.fillIn('/admin/ranking/new', '/admin/ranking', { queries: ' \n ' })
    expect([refused.status, refused.body.includes('1 to 50 queries')]).toEqual([400, true])
    const created = await admin.fillIn('/admin/ranking/new', '/admin/ranking', { queries: QUERIES.join('\r\n') })
    expect(created.location).toMatch(/^\/admin\/ranking\/\d+\/grade$/)
    path = created.location.replace('/grade', '')
  })

  it('shows one result at a time, and not who found it; a grade can be taken back', async () => {
    await admin.fillIn(`${path}/grade`, `${path}/search`)
    const first = await admin.ask(`${path}/grade`)
    await admin.fillIn(first, `${path}/grade`, { grade: 'fair' })
    const second = await admin.ask(`${path}/grade`)
    expect(addressOn(second.body)).not.toBe(addressOn(first.body))
    await admin.fillIn(second, `${path}/back`)
    expect(addressOn((await admin.ask(`${path}/grade`)).body)).toBe(addressOn(first.body))
    const main = /<main[\s\S]*<\/main>/.exec(first.body)?.[0] ?? ''
    for (const name of ['Brave', 'Mojeek', 'Marginalia', 'engine_a']) expect(main).not.toContain(name)
  })

  it('counts to the end, says what each engine is worth, and that it is not sure from too little', async () => {
    expect((await admin.ask(path)).body).toContain('Too few to tell')
    const { db } = server.instance.services.access
    const rows = await db.selectFrom('calibration_searches').select('results').execute()
    const liked = new Set(
      rows.flatMap(({ results }) => results ?? []).flatMap(({ url, ranks }) => (ranks['mojeek'] ? [url] : [])),
    )
    const shown = await gradeAll(path, (address) => (liked.has(address) || address.length % 3 === 0 ? 'good' : 'bad'))
    expect(shown.length).toBeGreaterThan(20)
    const result = await admin.ask(path)
    expect(result.body).toContain('From 3 graded searches')
    for (const name of ['Brave', 'Mojeek', 'Marginalia']) expect(result.body).toContain(name)
    expect(result.body).toContain('ENGINE_C_WEIGHT')
  })

  it('applies the weights, and explain says where each comes from; the environment comes first', async () => {
    expect(await originsOf('weather vanes')).toEqual({ engine_a: 'default', engine_b: 'default', engine_c: 'setting' })
    expect((await admin.fillIn(path, `${path}/apply`)).location).toBe('/admin/ranking?done=applied')
    expect(await originsOf('weather vanes')).toEqual({
      engine_a: 'calibration',
      engine_b: 'calibration',
      engine_c: 'setting',
    })
    const { json } = await server.api.get('/api/v1/news/?q=elections&include=explain')
    expect(JSON.stringify(json)).not.toContain('"calibration"')
  })

  it('removes the weights again', async () => {
    const list = await admin.ask('/admin/ranking')
    expect((await admin.fillIn(list, '/admin/ranking/clear')).location).toBe('/admin/ranking?done=cleared')
    expect(await originsOf('weather vanes')).toMatchObject({ engine_a: 'default', engine_b: 'default' })
  })

  it('deletes queries, addresses and grades with the calibration, and leaves none of them anywhere else', async () => {
    expect((await admin.fillIn(path, `${path}/delete`)).location).toBe('/admin/ranking?done=deleted')
    const { db } = server.instance.services.access
    for (const table of ['calibrations', 'calibration_searches'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    expect((await admin.ask(path)).status).toBe(404)
    for (const query of QUERIES) expect(server.logged()).not.toContain(query)
  })
})

describe('/compare', () => {
  it('shows the merge, SearXNG’s order and each engine alone, and marks what only one found', async () => {
    const { status, body } = await admin.ask('/compare?q=copper+lamps')
    expect(status).toBe(200)
    for (const heading of ['Bowerbird merges', 'As SearXNG would merge it', 'Brave alone', 'Mojeek alone'])
      expect(body).toContain(heading)
    expect(body).toMatch(/Only (?:Brave|Mojeek|Marginalia)/)
  })
})
