// Runs a complete instance that needs no setup: simulated upstreams, a database in a temporary folder, one account with
// one key. It reads no settings from the environment but PORT, so it can never touch a real instance, and its limits are
// the defaults.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { startSandbox } from '@bowerbird/sandbox'
import { createUser } from '../accounts/users.ts'
import type { DemoOptions } from '../cli/cli-host.ts'
import { createKey } from '../keys/keys.ts'
import { DEFAULT_SCOPES, MINE_SCOPE, READ_SCOPE } from '../keys/scopes.ts'
import { createLog } from '../log.ts'
import { untilSignal } from '../operate/process-end.ts'
import { startInstance } from '../operate/start.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { sandboxSettings } from './sandbox-settings.ts'

export interface Demo {
  url: string
  key: string
  username: string
  password: string
  close: () => Promise<void>
}

const USERNAME = 'demo'

interface StartOptions {
  port: number
  /** Added to the demo's own settings. */
  settings?: Record<string, string>
}

/** Runs `bowerbird demo`. */
export async function runDemo({ port, json, engine }: DemoOptions): Promise<void> {
  // Listen before the start, so that stopping early doesn't leave the temporary folder behind.
  const signalled = untilSignal()
  const isPrivate = ALL_ENGINES.some(({ slug, isPrivate }) => isPrivate && slug === engine)
  const settings = engine === undefined ? {} : { [isPrivate ? 'MINE' : 'ENGINE_D']: engine }
  const { close, ...facts } = await startDemo({ port, settings })
  process.stdout.write(json ? `${JSON.stringify(facts)}\n` : welcome(facts))
  await signalled
  await close()
}

export async function startDemo({ port, settings = {} }: StartOptions): Promise<Demo> {
  await using starting = new AsyncDisposableStack()
  const dataFolder = await mkdtemp(join(tmpdir(), 'bowerbird-demo-'))
  starting.defer(() => rm(dataFolder, { recursive: true, force: true }))
  const sandbox = await startSandbox()
  starting.defer(() => sandbox.close())
  const read = readConfiguration({
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    IMAGE_PROXY_URL: sandbox.picturesUrl,
    READER_PROXY_URL: sandbox.pagesUrl,
    MINE: 'karakeep',
    DATA_DIR: dataFolder,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...settings,
  })
  const configuration = requireConfiguration(read)
  const instance = await startInstance(configuration, createLog(configuration.logLevel))
  starting.defer(() => instance.close())
  const { access } = instance.services
  const password = randomBytes(12).toString('base64url')
  await createUser(access, { username: USERNAME, password, isAdmin: true })
  const { full } = await createKey(access, {
    owner: { username: USERNAME },
    name: 'demo',
    scopes: [...DEFAULT_SCOPES, READ_SCOPE, MINE_SCOPE],
  })
  const started = starting.move()
  return { url: instance.url, key: full, username: USERNAME, password, close: () => started.disposeAsync() }
}

function welcome({ url, key, username, password }: Omit<Demo, 'close'>): string {
  return `
Bowerbird is running at ${url} with simulated search engines.

Try it:

  curl -H 'Authorization: Api-Key ${key}' '${url}/api/v1/web/?q=climate'

Or open ${url} in a browser and sign in as ${username} with the password ${password}

Status   curl -H 'Authorization: Api-Key ${key}' ${url}/api/v1/status/
API      ${url}/api/v1/openapi.json

Press Ctrl-C to stop it and delete its data.
`
}
