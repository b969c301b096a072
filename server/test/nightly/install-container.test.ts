// docs/install/container.md, command by command: from a clone to a restored backup, an upgrade, and nothing left.
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { canBuildImages } from '../support/container-image.ts'
import { createDockerShim, type DockerShim, startReachableSandbox, toEnvFile } from '../support/docker-shim.ts'
import { describePage, expectResults, keyIn, rowsIn, SHOWN_KEY, setUpByLink } from '../support/install-story.ts'
import { cloneTo } from '../support/own-clone.ts'
import { blocksRunBy, openPageShell, type PageShell } from '../support/page-commands.ts'
import { tryProxiesInContainers } from '../support/proxies-in-containers.ts'

const PORT = 20_808
const TRUSTED = '172.31.0.0/24'
const TEST_MS = 900_000

/** What differs from a reader's machine. */
const replacements: Record<string, string> = {
  '127.0.0.1:8080': `127.0.0.1:${PORT}`,
  // The tests run as root.
  'sudo ': '',
}

const canBuild = canBuildImages()
const parts = new AsyncDisposableStack()
let clone: string
let docker: DockerShim
let shell: PageShell
let settings: Record<string, string>

beforeAll(async () => {
  if (!canBuild) return
  const folder = await mkdtemp(join(tmpdir(), 'bb-install-container-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  clone = await cloneTo(folder)
  docker = await createDockerShim()
  parts.defer(() => docker.remove())
  const providers = await startReachableSandbox()
  parts.defer(() => providers.sandbox.close())
  settings = {
    ...providers.settings,
    SEARCH_TIMEOUT_MS: '10000',
    TRUSTED_PROXIES: TRUSTED,
    ADMIN_HOST: '0.0.0.0',
    ADMIN_PORT: '8081',
  }
  shell = await openPageShell({ cwd: clone, env: { PATH: docker.path, HOME: folder }, replacements })
  parts.defer(() => shell.close())
}, TEST_MS)
afterAll(() => parts.disposeAsync(), TEST_MS)

/** Asks for its own address as a proxy in the network `web` would. */
const ASK_ADDRESS = `fetch('http://bowerbird:8080/api/v1/instant/?q=what+is+my+ip', {
  headers: { authorization: 'Api-Key ' + process.env.KEY, 'x-forwarded-for': '203.0.113.7' },
}).then(async (reply) => console.log(await reply.text()))`

const UNTIL_READY = 'until docker exec bowerbird bowerbird health; do sleep 1; done'
const SEARCH = `curl --silent --header "Authorization: Api-Key $KEY" 'http://127.0.0.1:8080/api/v1/web/?q=oak'`

const afterwards: Record<string, (printed: string) => unknown> = {
  'Start 2': () => appendFile(join(clone, 'bowerbird.env'), toEnvFile(settings)),
  'First account 1': (printed) => setUpByLink(printed, `http://127.0.0.1:${PORT}`),
  'First key and first search 1': (printed) => {
    replacements[SHOWN_KEY] = keyIn(printed)
  },
  'First key and first search 2': expectResults,
  'HTTPS 1': async (printed) => {
    const [, network] = /"(\d+\.\d+)\.0\.0\/16"/.exec(printed) ?? []
    const headers = { authorization: `Api-Key ${replacements[SHOWN_KEY]}`, 'x-forwarded-for': '203.0.113.7' }
    const reply = await fetch(`http://127.0.0.1:${PORT}/api/v1/instant/?q=what+is+my+ip`, { headers })
    // From the host, which isn't trusted here: it sees the network that the page tells readers to trust.
    expect(await reply.json()).toMatchObject({ ip: expect.stringContaining(`${network}.`) })
  },
  'HTTPS 2': async () => {
    const key = `KEY=${replacements[SHOWN_KEY]}`
    const node = ['--network', 'web', '--env', key, 'localhost/base', 'node', '--eval', ASK_ADDRESS]
    expect(JSON.parse(await docker.run(['run', '--rm', ...node]))).toMatchObject({ ip: '203.0.113.7' })
    await tryProxiesInContainers(docker, replacements[SHOWN_KEY] ?? '')
  },
  'Back up 1': () => shell.run('docker exec bowerbird bowerbird key create alice --name later'),
  'Restore 1': async (printed) => {
    expect(printed).toMatch(/Restored \d+ rows/)
    await shell.run(`${UNTIL_READY}\ndocker exec bowerbird bowerbird backup - > again.backup`)
    expect(await rowsIn(join(clone, 'again.backup'))).toEqual(await rowsIn(join(clone, 'bowerbird.backup')))
    for (const { commands } of blocksRunBy('docs/operate/upgrade-and-backup.md', 'install-container'))
      expect(await shell.run(commands)).toMatch(/Restored \d+ rows[\s\S]*\nalice +active/)
  },
  'Upgrade 1': async () => {
    await shell.run(UNTIL_READY)
    expectResults(await shell.run(SEARCH))
  },
  'Change settings or the port 1': async () => {
    const restore = `docker run --rm --interactive --volume "$PWD/data:/data" --env-file bowerbird.env localhost/bowerbird restore -`
    expect(await shell.run(`${restore} < bowerbird.backup`)).toMatch(/Restored \d+ rows/)
  },
  'Uninstall 1': async () => {
    expect(await docker.run(['ps', '--all', '--quiet'])).toBe('')
    expect(await docker.run(['volume', 'ls', '--quiet'])).toBe('')
    const compose = { ...settings, PUBLISH: `127.0.0.1:${PORT}` }
    await writeFile(join(clone, 'deploy/.env'), toEnvFile(compose))
  },
  'With Compose 1': (printed) => setUpByLink(printed, `http://127.0.0.1:${PORT}`),
}

describePage('docs/install/container.md', 'install-container', {
  shell: () => shell,
  afterwards,
  timeout: TEST_MS,
  skip: !canBuild,
})
