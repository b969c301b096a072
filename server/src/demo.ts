// A whole instance that needs nothing: simulated upstreams, a database in a temporary folder, one account with one key.
// It reads no setting of the environment, so it can never touch a real instance, and its limits are the defaults.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SANDBOX_KEYS, startSandbox } from '@bowerbird/sandbox'
import { createKey } from './keys/keys.ts'
import { createUser } from './accounts/users.ts'
import { readConfiguration } from './configuration.ts'
import { ALL_ENGINES } from './engines/all.ts'
import { createLog } from './log.ts'
import { startInstance } from './main.ts'
import { ALL_SOURCES } from './providers/sources/all.ts'

export interface Demo {
  url: string
  key: string
  username: string
  password: string
  close: () => Promise<void>
}

const USERNAME = 'demo'

interface DemoOptions {
  port: number
  /** On top of its own. */
  settings?: Record<string, string>
}

export async function startDemo({ port, settings = {} }: DemoOptions): Promise<Demo> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-demo-'))
  const sandbox = await startSandbox()
  const removeTraces = async () => {
    await sandbox.close()
    await rm(dataFolder, { recursive: true, force: true })
  }
  try {
    const { configuration } = readConfiguration({
      ...sandboxSettings((slug) => sandbox.urlOf(slug)),
      PICTURE_PROXY_URL: sandbox.picturesUrl,
      DATA_DIR: dataFolder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...settings,
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

/** Every provider that the sandbox can play, pointed at it with the key that it takes. */
export function sandboxSettings(urlOf: (slug: string) => string): Record<string, string> {
  const settings: Record<string, string> = {}
  for (const provider of [...ALL_ENGINES, ...ALL_SOURCES].filter(({ slug }) => slug in SANDBOX_KEYS)) {
    settings[provider.settings.baseUrl.env] = urlOf(provider.slug)
    for (const { env, isSecret } of Object.values(provider.settings)) {
      if (isSecret) settings[env] = SANDBOX_KEYS[provider.slug] ?? ''
    }
  }
  return settings
}

export function welcome({ url, key, username, password }: Omit<Demo, 'close'>): string {
  return `
Bowerbird is running at ${url} on simulated search engines.

Try it:

  curl -H 'Authorization: Api-Key ${key}' '${url}/api/v1/web/?q=climate'

Or open ${url} in a browser and sign in as ${username}, password ${password}

Status   curl -H 'Authorization: Api-Key ${key}' ${url}/api/v1/status/
API      ${url}/api/v1/openapi.json

Nothing is kept: Ctrl-C ends it and removes its data.
`
}
