// Runs a complete instance that needs no setup: simulated upstreams, a database in a temporary folder, one account with
// one key. It reads no settings from the environment but HOST and PORT, so it never touches a real instance's data, and
// its limits are the defaults.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { startSandbox } from '@bowerbird/sandbox'
import { createUser } from '../accounts/users.ts'
import type { DemoOptions } from '../cli/cli-host.ts'
import { codeOf, Refusal } from '../errors.ts'
import { createKey } from '../keys/keys.ts'
import { DEFAULT_SCOPES, MINE_SCOPE, READ_SCOPE } from '../keys/scopes.ts'
import { createLog } from '../log.ts'
import { untilSignal } from '../operate/process-end.ts'
import { explainListenFailure } from '../operate/side-listeners.ts'
import { localUrl, startInstance } from '../operate/start.ts'
import { readConfiguration, requireConfiguration } from '../settings/configuration.ts'
import { sandboxSettings } from './sandbox-settings.ts'
import { createSignInLink } from './sign-in-link.ts'

export interface Demo {
  /** Where a browser on this machine finds it. */
  url: string
  /** Opens it signed in: once, and on this machine only. */
  signInUrl: string
  key: string
  username: string
  password: string
  close: () => Promise<void>
}

const USERNAME = 'demo'

interface StartOptions {
  host?: string
  port: number
  /** Added to the demo's own settings. */
  settings?: Record<string, string>
  /** Called with what it does next. */
  report?: (step: string) => void
}

/** Runs `bowerbird demo`. */
export async function runDemo({ host, port, json, engine }: DemoOptions): Promise<void> {
  // Listen before the start, so that stopping early doesn't leave the temporary folder behind.
  const signalled = untilSignal()
  await requireFreePort(host, port)
  const isPrivate = ALL_ENGINES.some(({ slug, isPrivate }) => isPrivate && slug === engine)
  const settings = engine === undefined ? {} : { [isPrivate ? 'MINE' : 'ENGINE_D']: engine }
  const say = (text: string) => {
    if (!json) process.stdout.write(text)
  }
  let isStopping = false
  void signalled.then(() => {
    isStopping = true
    say('\nStopping…\n')
  })
  const { close, ...demo } = await startDemo({ host, port, settings, report: (step) => say(`${step}…\n`) })
  const { url, key, username, password, signInUrl } = demo
  if (json) process.stdout.write(`${JSON.stringify({ url, key, username, password, sign_in_url: signInUrl })}\n`)
  else if (!isStopping) say(welcome(demo))
  await signalled
  await close()
  say("Stopped. The demo's data is deleted.\n")
}

/** Refuses a port that is taken before the slow start. */
async function requireFreePort(host: string, port: number): Promise<void> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    if (codeOf(error) !== 'EADDRINUSE') throw explainListenFailure(error, '', port)
    throw new Refusal(
      'storage_unavailable',
      `Port ${port} is already in use. Choose another one, such as --port ${port + 1}.`,
    )
  } finally {
    server.close()
  }
}

export async function startDemo({ host = '127.0.0.1', port, settings = {}, report }: StartOptions): Promise<Demo> {
  await using starting = new AsyncDisposableStack()
  report?.('Starting the simulated engines')
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
    HOST: host,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ...settings,
  })
  const configuration = requireConfiguration(read)
  report?.('Preparing a database in a temporary folder')
  const credentials = { username: USERNAME, password: randomBytes(12).toString('base64url') }
  const link = createSignInLink(credentials)
  const instance = await startInstance(configuration, createLog(configuration.logLevel), ({ accounts }) => [
    link.page(accounts),
  ])
  starting.defer(() => instance.close())
  report?.('Creating an account and a key')
  const { access } = instance.services
  await createUser(access, { ...credentials, isAdmin: true })
  const { full } = await createKey(access, {
    owner: { username: USERNAME },
    name: 'demo',
    scopes: [...DEFAULT_SCOPES, READ_SCOPE, MINE_SCOPE],
  })
  const url = localUrl(instance.url, configuration)
  const started = starting.move()
  return { url, signInUrl: `${url}${link.path}`, key: full, ...credentials, close: () => started.disposeAsync() }
}

function welcome({ url, signInUrl, key, username, password }: Omit<Demo, 'close'>): string {
  return `
Bowerbird is running at ${url} with simulated search engines.

Open it, signed in (works once, on this machine):

  ${signInUrl}

Search from a terminal:

  curl -H 'Authorization: Api-Key ${key}' '${url}/api/v1/web/?q=climate'

Sign in   ${username}, with the password ${password}
Status    curl -H 'Authorization: Api-Key ${key}' ${url}/api/v1/status/
API       ${url}/api/v1/openapi.json

Press Ctrl-C to stop it and delete its data.
`
}
