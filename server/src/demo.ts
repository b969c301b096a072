// A whole instance that needs nothing: simulated upstreams, a database in a temporary folder, one account with one key.
// It reads no setting of the environment, so it can never touch a real instance, and its limits are the defaults.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEYS, startSandbox } from '@bowerbird/sandbox'
import { createKey } from './access/keys.ts'
import { createUser } from './access/users.ts'
import { readConfiguration } from './configuration.ts'
import { ALL_ENGINES } from './engines/all.ts'
import { createLog } from './log.ts'
import { startInstance } from './main.ts'

export interface Demo {
  url: string
  key: string
  username: string
  password: string
  close: () => Promise<void>
}

const USERNAME = 'demo'

export async function startDemo({ port }: { port: number }): Promise<Demo> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-demo-'))
  const sandbox = await startSandbox()
  const removeTraces = async () => {
    await sandbox.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
  try {
    const { configuration } = readConfiguration({
      ...sandboxSettings((slug) => sandbox.urlOf(slug)),
      DATA_DIR: dataFolder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
    })
    const instance = await startInstance(configuration, createLog(configuration.logLevel))
    const { access } = instance.services
    const password = randomBytes(12).toString('base64url')
    await createUser(access, { username: USERNAME, password, isAdmin: true })
    const { full } = await createKey(access, { owner: { username: USERNAME }, name: 'demo' })
    return {
      url: instance.url,
      key: full,
      username: USERNAME,
      password,
      async close() {
        await instance.close()
        await removeTraces()
      },
    }
  } catch (error) {
    await removeTraces()
    throw error
  }
}

/** Every engine that the sandbox can play, pointed at it with the key that it takes. */
export function sandboxSettings(urlOf: (slug: string) => string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const engine of ALL_ENGINES.filter(({ slug }) => slug in SANDBOX_KEYS)) {
    settings[engine.settings.baseUrl.env] = urlOf(engine.slug)
    for (const { env, isSecret } of Object.values(engine.settings)) {
      if (isSecret) settings[env] = SANDBOX_KEYS[engine.slug] ?? ''
    }
  }
  return settings
}

export function welcome({ url, key, username, password }: Omit<Demo, 'close'>): string {
  return `
Bowerbird is running at ${url} on simulated search engines.

Try it:

  curl -H 'Authorization: Api-Key ${key}' '${url}/api/v1/web/?q=climate'

Account  ${username}, password ${password}
Status   curl -H 'Authorization: Api-Key ${key}' ${url}/api/v1/status/
API      ${url}/api/v1/openapi.json

Nothing is kept: Ctrl-C ends it and removes its data.
`
}
