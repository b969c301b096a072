// `bowerbird engines` as an operator runs it, with the sandbox as the only provider.

import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConnectProxy } from '../../test/support/connect-proxy.ts'
import { bowerbird, databaseAway, json, withSettings } from '../cli/command-line.test-harness.ts'
import { openTestDatabase } from '../keys/access.test-database.ts'
import { readConfiguration } from '../settings/configuration.ts'
import { engineCommands } from './command-line-host.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.close())

const hostOf = (env: Record<string, string> = {}) => engineCommands(env, readConfiguration(env))

describe('bowerbird engines', () => {
  it('lists every engine with what it needs, as text and as JSON', async () => {
    const { code, out } = await bowerbird('engines', hostOf())
    expect(code).toBe(0)
    expect(out).toMatch(/^brave +hidden +web images news videos suggest .* BRAVE_API_KEY, from https:\/\//m)
    expect(out).toMatch(/^wikipedia +on \(engine_c\) /m)
    expect(out).toMatch(/^youfree +unbound .* nothing \(no contract with the provider\)$/m)
    const { engines } = await json('engines', hostOf())
    expect((engines as unknown[]).length).toBeGreaterThanOrEqual(40)
    expect(engines).toContainEqual(
      expect.objectContaining({ slug: 'brave', state: 'hidden', missing: ['BRAVE_API_KEY'] }),
    )
  })
})

describe('bowerbird engines try', () => {
  it('shows request, reply, results and terms, and opens no database if the call is free', async () => {
    const env = { WIKIPEDIA_URL: sandbox.urlOf('wikipedia') }
    const { code, out, err } = await bowerbird('engines try wikipedia lamps', hostOf(env))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Wikipedia, web\n\nGET \/w\/api\.php\?.*srsearch=lamps/)
    expect(out).toMatch(/status 200, \d+ bytes after \d+ ms\n10 results:\n {2}1\. /)
    expect(out).toMatch(/Terms as of 2026-11-15: cached for 86400 s; free; attribution: /)
  })

  it('goes through the outgoing proxy, and says what the proxy answers', async () => {
    const proxy = await startConnectProxy({ credentials: 'ada:hunter2' })
    const url = proxy.url.replace('//', '//ada:hunter2@')
    const env = { WIKIPEDIA_URL: sandbox.urlOf('wikipedia') }
    for (const name of ['OUTGOING_PROXY', 'WIKIPEDIA_PROXY']) {
      const { out } = await bowerbird('engines try wikipedia lamps', hostOf({ ...env, [name]: url }))
      expect([name, out]).toEqual([name, expect.stringContaining('10 results')])
    }
    expect(proxy.asked).toEqual(Array(2).fill(new URL(sandbox.url).host))
    const refused = await bowerbird('engines try wikipedia lamps', hostOf({ ...env, OUTGOING_PROXY: proxy.url }))
    expect(refused.out + refused.err).toContain('The outgoing proxy wants other credentials (status 407).')
    await proxy.close()
  })

  it('counts a call that costs money, and hides the key', async () => {
    const opened = await openTestDatabase('sqlite')
    const access = withSettings({ ...databaseAway, db: opened.database.db })
    const env = { BRAVE_URL: sandbox.urlOf('brave'), BRAVE_API_KEY: 'sandbox-brave-key' }
    const openAccess = async () => ({ access, close: () => Promise.resolve() })
    const report = await json('engines try brave lamps --tab news', { ...hostOf(env), openAccess })
    expect(report).toMatchObject({ tab: 'news', status: 200, error: null })
    expect(JSON.stringify(report)).not.toContain('sandbox-brave-key')
    const costs = access.db.selectFrom('provider_costs').select(['provider', 'calls', 'micros'])
    expect(await costs.execute()).toEqual([{ provider: 'brave', calls: '1', micros: '5000' }])
    await opened.drop()
  })

  it('exits with 1 and says why it failed', async () => {
    const env = { BRAVE_URL: sandbox.urlOf('brave'), BRAVE_API_KEY: 'wrong', BRAVE_PRICE_PER_CALL: '0' }
    const wrong = await bowerbird('engines try brave lamps', hostOf(env))
    expect(wrong.code).toBe(1)
    expect(wrong.out).toMatch(/^rejected: /m)
    expect(await bowerbird('engines try kagi lamps', hostOf())).toMatchObject({
      code: 1,
      err: 'kagi needs KAGI_API_KEY, which is not set.\n',
    })
    expect((await bowerbird('engines try lanternfish lamps', hostOf())).err).toMatch(/^There is no engine lanternfish/)
    expect((await bowerbird('engines try wikipedia lamps --tab news', hostOf())).err).toBe(
      'wikipedia serves only web.\n',
    )
  })
})
