// Usage, limits and costs on the website match what the API counted, on an instance with PostgreSQL and Redis.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { eventually } from '../support/eventually.ts'
import { type FormBrowser, openFormBrowser } from '../support/form-browser.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'
import { freshQuery } from './fresh-query.ts'

const PATIENCE_MS = 10_000
const PASSWORD = 'correct horse battery'

let server: TestInstance
let ada: FormBrowser
let root: FormBrowser

async function signIn(username: string): Promise<FormBrowser> {
  const browser = openFormBrowser(server.url)
  await browser.fillIn('/login', '/login', { username, password: PASSWORD })
  return browser
}

beforeAll(async () => {
  server = await startTestInstance({ BRAVE_MONTHLY_CALLS: '1000' })
  await createUser(server.instance.services.access, { username: 'root', password: PASSWORD, isAdmin: true })
  ada = await signIn('ada')
  root = await signIn('root')
})
afterAll(() => server.close())

const textOf = async (browser: FormBrowser, path: string): Promise<string> => {
  const { body } = await browser.ask(path)
  return body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
}

describe('usage on the website', () => {
  it('immediately shows users the requests of a key and how much of its limits they used', async () => {
    const key = await server.createKey({ name: 'my agent' })
    const ask = (path: string) => server.api.get(path, { key })
    expect(await textOf(ada, '/settings/usage')).toContain('No requests in the last 30 days.')
    for (let i = 0; i < 2; i++) expect((await ask(`/api/v1/web/?q=${freshQuery()}`)).status).toBe(200)
    expect((await ask('/api/v1/instant/?q=2%2B2')).status).toBe(200)
    // Counts towards the limits, but not as usage.
    expect((await ask('/api/v1/web/')).status).toBe(400)
    const text = await textOf(ada, '/settings/usage')
    expect(text).toContain('3 requests in the last 30 days')
    expect(text).toContain('Web 2 2 Instant answers 1 1 Total 3 3')
    expect(text).toMatch(/my agent \S+ 3 3 Last minute 4 of 60 /)
    expect(text).toMatch(/Last 24 hours 4 of 5,000/)
    expect(await textOf(root, '/settings/usage')).not.toContain('my agent')
  })

  it('soon shows administrators the requests of all keys, and the provider calls they caused', async () => {
    const isCounted = async () => (await textOf(root, '/admin/usage')).includes('3 requests in the last 30 days')
    expect(await eventually(isCounted, PATIENCE_MS)).toBe(true)
    const calls = server.sandbox.callCount('brave')
    expect(calls).toBeGreaterThan(0)
    const text = await textOf(root, '/admin/providers')
    expect(text).toContain(`Calls this month ${calls} of 1,000`)
    expect(text).toContain('at US$0.005 each')
  })

  it('does not include searches made on the website', async () => {
    expect((await root.ask(`/search?q=${freshQuery()}`)).status).toBe(200)
    expect(await textOf(root, '/settings/usage')).toContain('No requests yet')
  })
})
