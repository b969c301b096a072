// A whole instance in the test process: real HTTP, a real PostgreSQL database, a real Redis, the sandbox.
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll } from 'vitest'
import { createUser } from '../../src/accounts/users.ts'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { createKey, type NewKey } from '../../src/keys/keys.ts'
import { createLog } from '../../src/log.ts'
import { type Instance, startInstance } from '../../src/operate/start.ts'
import { readConfiguration, requireConfiguration } from '../../src/settings/configuration.ts'
import { type ApiClient, createApiClient } from './api-client.ts'
import { createTemporaryDatabase } from './temporary-database.ts'
import { takeRedis } from './worker-redis.ts'

export interface TestInstance {
  url: string
  /** Sends the key of a user with very high limits: `ada`, unless the instance is shared. */
  api: ApiClient
  key: string
  sandbox: Sandbox
  instance: Instance
  redisUrl: string
  databaseUrl: string
  /** Everything logged so far. */
  logged: () => string
  createKey: (options?: Partial<NewKey>) => Promise<string>
  close: () => Promise<void>
}

export async function startTestInstance(settings: Record<string, string | undefined> = {}): Promise<TestInstance> {
  const [sandbox, redis, database] = await Promise.all([startSandbox(), takeRedis(), createTemporaryDatabase()])
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line) })
  const read = readConfiguration({
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    IMAGE_PROXY_URL: sandbox.picturesUrl,
    READER_PROXY_URL: sandbox.pagesUrl,
    // Tests create as many as they need.
    MAX_KEYS_PER_USER: '10000',
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
    // Other work in the test process must not look like a slow engine.
    SEARCH_TIMEOUT_MS: '10000',
    ...settings,
  })
  const instance = await startInstance(requireConfiguration(read), log)
  return {
    ...(await addUser(instance, 'ada')),
    url: instance.url,
    sandbox,
    instance,
    redisUrl: redis.url,
    databaseUrl: database.url,
    logged: () => lines.join(''),
    async close() {
      await instance.close()
      redis.giveBack()
      await Promise.all([sandbox.close(), database.drop()])
    },
  }
}

/** One for the tests around, from before the first of them until after the last; its members can be read in tests and hooks. */
export function useTestInstance(settings?: Parameters<typeof startTestInstance>[0]): TestInstance {
  const started: Partial<TestInstance> = {}
  beforeAll(async () => void Object.assign(started, await startTestInstance(settings)))
  afterAll(() => started.close?.())
  return started as TestInstance // complete once the hook has run, before which no test reads it
}

/** Starts one with a key, and a client that uses it. */
export async function addUser(
  { url, services: { access } }: Instance,
  username: string,
): Promise<Pick<TestInstance, 'api' | 'key' | 'createKey'>> {
  await createUser(access, { username, password: 'correct horse battery' })
  const newKey = async (options: Partial<NewKey> = {}) =>
    (await createKey(access, { owner: { username }, ...options })).full
  const key = await newKey({ burst: '100000/min', sustained: '1000000/day' })
  return { api: await createApiClient(url, key), key, createKey: newKey }
}
