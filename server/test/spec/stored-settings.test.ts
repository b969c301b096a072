// Settings in the database on a running instance: the website and the API follow a change, and a start that contradicts
// them says what to do.
import { expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createLog } from '../../src/log.ts'
import { startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { useTestInstance } from '../support/test-instance.ts'

const server = useTestInstance({
  INSTANCE_SECRET: 'the secret of this instance, long enough',
  KAGI_API_KEY: undefined,
})

async function change(edits: Record<string, string | undefined>): Promise<void> {
  const { access } = server.instance.services
  await access.settings.change(access, edits)
}

const statusOf = async (path: string) => (await fetch(`${server.url}${path}`, { redirect: 'manual' })).status

it('who may search, and whom to tell about a flaw, change while it runs', async () => {
  expect([await statusOf('/search?q=lamps'), await statusOf('/.well-known/security.txt')]).toEqual([303, 404])
  await change({ SITE_ACCESS: 'public', OPERATOR_CONTACT: 'ops@example.org' })
  await expect.poll(() => statusOf('/search?q=lamps')).toBe(200)
  expect(await statusOf('/.well-known/security.txt')).toBe(200)
  await change({ SITE_ACCESS: undefined, OPERATOR_CONTACT: undefined })
  await expect.poll(() => statusOf('/search?q=lamps')).toBe(303)
})

it('the name of the website changes while it runs, and engines are turned off and on', async () => {
  const titleAt = async (path: string) =>
    /<title>(.*)<\/title>/.exec(await (await fetch(server.url + path)).text())?.[1]
  const { current } = server.instance.services
  const stateOf = (slug: string) => current().engines.catalogue.find((entry) => entry.slug === slug)?.state
  expect([await titleAt('/login'), stateOf('mojeek')]).toEqual(['Sign in · Bowerbird', 'on'])
  await change({ INSTANCE_NAME: 'Plumage', ENGINES_OFF: 'mojeek' })
  await expect.poll(() => titleAt('/login')).toBe('Sign in · Plumage')
  expect(stateOf('mojeek')).toBe('unbound')
  await change({ INSTANCE_NAME: undefined, ENGINES_OFF: undefined })
  await expect.poll(() => stateOf('mojeek')).toBe('on')
  await expect(change({ ENGINES_OFF: 'nobody' })).rejects.toMatchObject({
    body: { detail: expect.stringContaining('ENGINES_OFF names an unknown engine') },
  })
  await expect(change({ INSTANCE_NAME: 'x'.repeat(41) })).rejects.toMatchObject({
    body: { detail: expect.stringContaining('INSTANCE_NAME must be one line') },
  })
})

it('a new slot can be named in the API and is listed by status/; without its engine it is no longer', async () => {
  const ask = () => server.api.get('/api/v1/web/?q=lanterns&engine=engine_q')
  expect((await ask()).status).toBe(400)
  await change({ ENGINE_Q: 'wikipedia' })
  await expect.poll(async () => (await ask()).status).toBe(200)
  expect(JSON.stringify((await server.api.get('/api/v1/status/')).json)).toContain('engine_q')
  expect((await server.api.get('/searxng/config')).json.engines).toContainEqual(
    expect.objectContaining({ shortcut: 'q' }),
  )
  await change({ ENGINE_Q: undefined })
  await expect.poll(async () => (await ask()).status).toBe(400)
  expect(JSON.stringify((await server.api.get('/api/v1/status/')).json)).not.toContain('engine_q')
})

it('a key that is pasted on the website turns its engine on, in a slot of its own, and survives a restart', async () => {
  const { access, current, settingsDesk } = server.instance.services
  const stateOf = () => current().engines.catalogue.find(({ slug }) => slug === 'kagi')?.state
  expect(stateOf()).toBe('unbound')
  const key = { setting: 'KAGI_API_KEY', value: 'sandbox-kagi-key' }
  await settingsDesk.changeEngine(access, 'kagi', { key })
  expect(stateOf()).toBe('on')
  expect(settingsDesk.keys()).toContainEqual({
    setting: 'KAGI_API_KEY',
    provider: 'Kagi',
    engine: 'kagi',
    origin: 'database',
  })
  expect(settingsDesk.exportFile()).toBe('ENGINE_D=kagi\n# KAGI_API_KEY is set, not shown\n')
  const again = await startAgain()
  expect(again.services.current().engines.catalogue.find(({ slug }) => slug === 'kagi')?.state).toBe('on')
  await again.close()
})

it('a start whose environment contradicts what is stored names the mistake and the way out', async () => {
  await expect(startAgain({ ENGINE_A: 'kagi' })).rejects.toMatchObject({
    body: {
      detail: expect.stringMatching(
        /ENGINE_D binds kagi to web, but ENGINE_A already does\.[\s\S]*bowerbird config unset/,
      ),
    },
  })
})

const startAgain = (settings: Record<string, string> = {}) =>
  startInstance(
    requireConfiguration(
      readConfiguration({
        ...sandboxSettings((slug) => server.sandbox.urlOf(slug)),
        KAGI_API_KEY: '',
        INSTANCE_SECRET: 'the secret of this instance, long enough',
        DATABASE_URL: server.databaseUrl,
        REDIS_URL: server.redisUrl,
        PORT: '0',
        ...settings,
      }),
    ),
    createLog('silent'),
  )
