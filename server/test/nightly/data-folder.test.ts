// A data folder has one owner, and nothing the owner has acknowledged is lost: not to a second server in another
// container, where every server is process 1, and not to kill -9 at any moment. ROUNDS=50 kills more often. It is
// administered while its server runs, and while it is stopped.
import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { administer, createUser } from '../support/administer.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { createRandom } from '../support/random.ts'
import { bowerbird, type ServerProcess, startServerProcess } from '../support/server-process.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 6)
const WRITERS = 4
const LONGEST_LIFE_MS = 400

const running: ServerProcess[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop('SIGKILL')
})

async function start(folder: string, within: readonly string[] = []): Promise<ServerProcess> {
  const settings = { DATA_DIR: folder, MAX_KEYS_PER_USER: '1000000', LOG_LEVEL: 'error' }
  const server = await startServerProcess(settings, within)
  running.push(server)
  return server
}

async function keyNames(folder: string): Promise<Set<string>> {
  const names = new Set<string>()
  for (let after: string | null = '0'; after !== null; ) {
    const { items, next } = await administer(folder, 'key-list', { after })
    for (const { name } of items) names.add(name)
    after = next
  }
  return names
}

/** With a separate PID namespace, as in a container. */
const CONTAINER = ['unshare', '--pid', '--fork', '--kill-child']

describe('a data folder', () => {
  it('has one owner, from whatever namespace or mount another server opens it, and the owner loses nothing', {
    timeout: 120_000,
  }, async () => {
    const folder = await createDataFolder()
    const mountPoint = `${folder}-mounted`
    await mkdir(mountPoint)
    const first = await start(folder, CONTAINER)
    await createUser(folder, 'before')
    const refused = (at: string) =>
      `the server did not start: exit code 1: bowerbird: The data folder ${at} is in use by another process of Bowerbird.\n`
    await expect(start(folder, CONTAINER)).rejects.toThrow(refused(folder))
    const mounted = [...CONTAINER, '--mount', 'sh', '-c', `mount --bind ${folder} ${mountPoint} && exec "$@"`, 'sh']
    await expect(start(mountPoint, mounted)).rejects.toThrow(refused(mountPoint))
    await createUser(folder, 'between')
    // A command connects to the owner, which runs it.
    const added = ['user', 'create', 'after', '--password-stdin']
    expect(await bowerbird(added, { DATA_DIR: folder }, 'correct horse battery\n')).toMatchObject({ code: 0 })
    await first.stop('SIGKILL')
    await start(folder, CONTAINER)
    const { items } = await administer(folder, 'user-list', {})
    expect(items.map(({ username }) => username)).toEqual(['after', 'before', 'between'])
  })

  it(`whose owner is killed while writing, ${ROUNDS} times, has every acknowledged write`, {
    timeout: 60_000 + ROUNDS * 20_000,
  }, async () => {
    const folder = await createDataFolder()
    const random = createRandom(Date.now())
    const acknowledged = new Set<string>()
    let server = await start(folder)
    await createUser(folder, 'ada')
    for (let round = 0; round < ROUNDS; round++) {
      const { promise: firstIsWritten, resolve } = Promise.withResolvers<void>()
      const write = async (writer: number): Promise<void> => {
        for (let i = 0; ; i++) {
          const { name } = await administer(folder, 'key-create', { username: 'ada', name: `${round}-${writer}-${i}` })
          acknowledged.add(name)
          resolve()
        }
      }
      // Each ends when its connection closes.
      const writers = Promise.allSettled(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
      // Waits for the first write, however slow the machine is.
      await Promise.race([firstIsWritten, writers])
      await sleep(random.between(0, LONGEST_LIFE_MS))
      await server.stop('SIGKILL')
      await writers
      server = await start(folder)
      const found = await keyNames(folder)
      expect([...acknowledged].filter((name) => !found.has(name))).toEqual([])
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(ROUNDS)
  })

  it('is administered while its server runs and while it is stopped, and the next start finds users, keys and usage', async () => {
    const DATA_DIR = await createDataFolder()
    const command = async (args: string[], input?: string) => {
      const { code, stdout, stderr } = await bowerbird([...args, '--json'], { DATA_DIR }, input)
      expect(stderr).toBe(`Data: ${DATA_DIR} (built-in database)\n`)
      expect(code).toBe(0)
      return JSON.parse(stdout)
    }
    const ask = (key: string, path = '') =>
      fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Api-Key ${key}` } })
    const usage = async () => ((await (await ask(key, 'usage/')).json()) as { searches: number }).searches
    let server = await start(DATA_DIR)
    await command(['user', 'create', 'ada', '--password-stdin'], 'correct horse battery\n')
    const { key } = await command(['key', 'create', 'ada', '--name', 'laptop'])
    const { key: revoked } = await command(['key', 'create', 'ada'])
    expect((await ask(revoked)).status).toBe(200)
    await command(['key', 'revoke', revoked])
    expect((await ask(revoked)).status).toBe(401)
    await command(['user', 'disable', 'ada'])
    expect((await ask(key)).status).toBe(403)
    await command(['user', 'enable', 'ada'])
    expect((await ask(key, 'instant/?q=2%2B2')).status).toBe(200)
    await server.stop('SIGTERM')
    expect(server.process.exitCode).toBe(0)
    const { key: offline } = await command(['key', 'create', 'ada', '--name', 'offline'])
    server = await start(DATA_DIR)
    expect((await ask(offline)).status).toBe(200)
    expect(await usage()).toBe(1)
    expect((await command(['key', 'list', 'ada'])).keys).toMatchObject([
      { name: 'laptop', state: 'active' },
      { name: '', state: 'revoked' },
      { name: 'offline', state: 'active' },
    ])
  })
})
