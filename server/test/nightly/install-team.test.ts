// docs/install/team.md, command by command: two nodes, PostgreSQL, two Redis servers and Caddy, from a clone to a
// restored backup. Translation and monitoring are left out: their images can't be made here.
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { canBuildImages } from '../support/container-image.ts'
import { createDockerShim, startReachableSandbox, toEnvFile } from '../support/docker-shim.ts'
import { describePage, expectResults, keyIn, rowsIn, SHOWN_KEY, setUpByLink } from '../support/install-story.ts'
import { cloneTo } from '../support/own-clone.ts'
import { openPageShell, type PageShell } from '../support/page-commands.ts'
import { makeTeamImages } from '../support/team-images.ts'

const TEST_MS = 900_000
/** Other servers may have 80 and 443. */
const [HTTP_PORT, HTTPS_PORT] = [20_880, 20_843]
const PORTS = `['${HTTP_PORT}:80', '${HTTPS_PORT}:443']`

/** What differs from a reader's machine. Caddy issues a certificate for localhost by itself. */
const replacements: Record<string, string> = {
  'https://search.example.org': `https://localhost:${HTTPS_PORT}`,
  'http://search.example.org': `http://localhost:${HTTP_PORT}`,
  'search.example.org': 'localhost',
  'curl --silent': 'curl --insecure --silent',
  'up --build --detach': 'up --build --detach bowerbird bowerbird-2 caddy postgres redis redis-cache',
}

const canBuild = canBuildImages()
const parts = new AsyncDisposableStack()
let deploy: string
let shell: PageShell
let settings: Record<string, string>

beforeAll(async () => {
  if (!canBuild) return
  const folder = await mkdtemp(join(tmpdir(), 'bb-install-team-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  deploy = join(await cloneTo(folder), 'deploy')
  const docker = await createDockerShim()
  parts.defer(() => docker.remove())
  await makeTeamImages(docker.storage)
  const providers = await startReachableSandbox()
  parts.defer(() => providers.sandbox.close())
  settings = { ...providers.settings, SEARCH_TIMEOUT_MS: '10000' }
  shell = await openPageShell({ cwd: deploy, env: { PATH: docker.path, HOME: folder }, replacements })
  parts.defer(() => shell.close())
  // For Caddy's own certificate.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
}, TEST_MS)
afterAll(() => parts.disposeAsync(), TEST_MS)

const READY = 'until curl --silent --fail https://search.example.org/readyz; do sleep 1; done'

describePage('docs/install/team.md', 'install-team', {
  shell: () => shell,
  timeout: TEST_MS,
  skip: !canBuild,
  afterwards: {
    'Start 1': async () => {
      await appendFile(join(deploy, '.env'), toEnvFile(settings))
      const file = join(deploy, 'compose.full.yaml')
      await writeFile(file, (await readFile(file, 'utf8')).replace("['80:80', '443:443', '443:443/udp']", PORTS))
    },
    'First account 1': async (printed) => {
      await shell.run(READY)
      await setUpByLink(printed, `https://localhost:${HTTPS_PORT}`)
    },
    'First key and first search 1': (printed) => {
      replacements[SHOWN_KEY] = keyIn(printed)
    },
    'First key and first search 2': expectResults,
    'First key and first search 3': (printed) => expect(printed).toContain('PostgreSQL'),
    'Back up 1': () => shell.run('docker compose exec -T bowerbird bowerbird key create alice --name later'),
    'Restore 1': async (printed) => {
      expect(printed).toMatch(/Restored \d+ rows/)
      await shell.run(`${READY}\ndocker compose exec -T bowerbird bowerbird backup - > again.backup`)
      expect(await rowsIn(join(deploy, 'again.backup'))).toEqual(await rowsIn(join(deploy, 'bowerbird.backup')))
      const search = `curl --silent --header "Authorization: Api-Key $KEY" 'https://search.example.org/api/v1/web/?q=oak'`
      expectResults(await shell.run(search))
      // The key is refused over plain HTTP, and isn't redirected.
      const plain = search
        .replace('https:', 'http:')
        .replace('curl', `curl --output /dev/null --write-out '%{http_code}'`)
      expect((await shell.run(plain)).trim()).toBe('403')
    },
  },
})
