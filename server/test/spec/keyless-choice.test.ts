// The administrator's choice on the website decides which engines are bound without a key, at once and from the next
// start, unless the environment sets it.

import { expect, it } from 'vitest'
import type { Services } from '../../src/compose/compose.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLog } from '../../src/log.ts'
import { startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { useTestInstance } from '../support/test-instance.ts'

const server = useTestInstance()

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
  const { services } = instance
  const found = { slots: services.current().search.slotNames, ...keylessIn(services) }
  await instance.close()
  return found
}

const keylessIn = ({ current, settingsDesk }: Services) => ({
  current: current().configuration.keyless.current,
  isFixed: settingsDesk.originOf('KEYLESS_ENGINES') === 'environment',
})

it("the administrator's choice applies at once and from the next start, and never overrides the environment", async () => {
  const { services } = server.instance
  const { access, current, settingsDesk } = services
  expect(keylessIn(services)).toMatchObject({ current: 'foundations', isFixed: false })
  expect(current().search.slotNames).not.toContain('engine_d')
  await settingsDesk.change(access, { KEYLESS_ENGINES: 'none' })
  await settingsDesk.change(access, { KEYLESS_ENGINES: 'all' })
  expect(keylessIn(services).current).toBe('all')
  expect(current().search.slotNames).toEqual(expect.arrayContaining(['engine_d', 'engine_e']))
  expect(await startedNow()).toMatchObject({
    slots: expect.arrayContaining(['engine_d', 'engine_e']),
    current: 'all',
    isFixed: false,
  })
  const fixed = await startedNow({ KEYLESS_ENGINES: 'foundations' })
  expect(fixed).toMatchObject({ current: 'foundations', isFixed: true })
  expect(fixed.slots).not.toContain('engine_d')
})
