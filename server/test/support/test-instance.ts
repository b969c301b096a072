// A whole instance in the test's own process: real HTTP, a real PostgreSQL database, a real Redis, the sandbox.
import { Writable } from 'node:stream'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { pino } from 'pino'
import { createKey, type NewKey } from '../../src/keys/keys.ts'
import { createUser } from '../../src/accounts/users.ts'
import { readConfiguration } from '../../src/configuration.ts'
import { sandboxSettings } from '../../src/demo.ts'
import { type Instance, startInstance } from '../../src/main.ts'
import { type ApiClient, createApiClient } from './api-client.ts'
import { type PrivateRedis, startPrivateRedis } from './private-redis.ts'
import { createTemporaryDatabase } from './temporary-database.ts'

export interface TestInstance {
  url: string
  /** Carries the key of the user `ada`, whose limits are far away. */
  api: ApiClient
  key: string
  sandbox: Sandbox
  instance: Instance
  redis: PrivateRedis
  databaseUrl: string
  /** Everything logged so far. */
  logged: () => string
  createKey: (options?: Partial<NewKey>) => Promise<string>
  close: () => Promise<void>
}

export async function startTestInstance(settings: Record<string, string> = {}): Promise<TestInstance> {
  const [sandbox, redis, database] = await Promise.all([startSandbox(), startPrivateRedis(), createTemporaryDatabase()])
  const lines: string[] = []
  const log = pino(
    { level: 'debug' },
    new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
  )
  const { configuration, mistakes } = readConfiguration({
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    PICTURE_PROXY_URL: sandbox.picturesUrl,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    PORT: '0',
    ...settings,
  })
  if (mistakes.length > 0) throw new Error(JSON.stringify(mistakes))
  const instance = await startInstance(configuration, log)
  const { access } = instance.services
  await createUser(access, { username: 'ada', password: 'correct horse battery' })
  const newKey = async (options: Partial<NewKey> = {}) =>
    (await createKey(access, { owner: { username: 'ada' }, ...options })).full
  const key = await newKey({ burst: '100000/min', sustained: '1000000/day' })
  return {
    url: instance.url,
    api: await createApiClient(instance.url, key),
    key,
    sandbox,
    instance,
    redis,
    databaseUrl: database.url,
    logged: () => lines.join(''),
    createKey: newKey,
    async close() {
      await instance.close()
      await Promise.all([sandbox.close(), redis.stop()])
      await database.drop()
    },
  }
}
