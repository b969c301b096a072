// The administrator's choice on the website decides which engines are bound without a key, from the next start, unless
// the environment sets it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLog } from '../../src/log.ts'
import { startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

let server: TestInstance
beforeAll(async () => {
  server = await startTestInstance()
})
afterAll(() => server?.close())

/** Starts another node of the same instance. */
async function startedNow(settings: Record<string, string> = {}) {
  const read = readConfiguration({
    ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
    DATABASE_URL: server.databaseUrl,
    REDIS_URL: server.redisUrl,
    PORT: '0',
    ...settings,
  })
  const instance = await startInstance(requireConfiguration(read), createLog('silent'))
  const { api, site } = instance.services
  const found = { slots: api.search.slotNames, current: site.keyless.current, isFixed: site.keyless.isFixed }
  await instance.close()
  return found
}

const nothing = async () => undefined

it("the administrator's choice applies from the next start, and never overrides the environment", async () => {
  const { keyless } = server.instance.services.site
  expect([keyless.current, keyless.isFixed, await keyless.read()]).toEqual(['foundations', false, undefined])
  expect((await startedNow()).slots).not.toContain('engine_d')
  await keyless.choose('none', nothing)
  await keyless.choose('all', nothing)
  expect([await keyless.read(), keyless.current]).toEqual(['all', 'foundations'])
  expect(await startedNow()).toMatchObject({
    slots: expect.arrayContaining(['engine_d', 'engine_e']),
    current: 'all',
    isFixed: false,
  })
  const fixed = await startedNow({ KEYLESS_ENGINES: 'foundations' })
  expect(fixed).toMatchObject({ current: 'foundations', isFixed: true })
  expect(fixed.slots).not.toContain('engine_d')
})
