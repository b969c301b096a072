// A data folder has one owner, and nothing the owner has acknowledged is lost: not to a second server in another
// container, where every server is process 1, and not to kill -9 at any moment. ROUNDS=50 kills more often.
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
})
