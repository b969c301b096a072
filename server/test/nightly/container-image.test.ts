// The container image, built from deploy/Containerfile and run with the strictest settings: read-only, unprivileged,
// without capabilities.
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Sandbox, startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { buildImage, type Container, type ContainerImage, canBuildImages } from '../support/container-image.ts'
import { onFreePort } from '../support/on-free-port.ts'
import { startPrivateRedis } from '../support/private-redis.ts'
import { createEmptyDatabase } from '../support/temporary-database.ts'

const BUILD_MS = 900_000
const MOST_BYTES = 350_000_000
const STOP_MS = 2_000
const USER = 10_001

/** A container takes a while to start on a busy machine. */
const TEST_MS = 180_000

const canBuild = canBuildImages()
const parts = new AsyncDisposableStack()
let image: ContainerImage
let sandbox: Sandbox
let folder: string

beforeAll(async () => {
  if (!canBuild) return
  const startedAt = performance.now()
  image = await buildImage()
  parts.defer(() => image.remove())
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  process.stdout.write(`The image: ${Math.round(image.sizeBytes / 1e6)} MB, built in ${seconds} s.\n`)
  folder = await mkdtemp(join(tmpdir(), 'bb-container-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
}, BUILD_MS)
afterAll(() => parts.disposeAsync(), BUILD_MS)

async function makeFolder(name: string, owner: number): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { mode: 0o700 })
  await chown(path, owner, owner)
  return path
}

const start = (settings: Record<string, string>, mounts: string[]): Promise<{ container: Container; url: string }> =>
  onFreePort(async (port) => {
    const providers = sandboxSettings((slug) => sandbox.urlOf(slug))
    // The sandbox runs in the test process: a busy machine must not look like a slow engine.
    const all = { ...providers, SEARCH_TIMEOUT_MS: '10000', HOST: '127.0.0.1', PORT: String(port), ...settings }
    return { container: await image.start(all, mounts), url: `http://127.0.0.1:${port}` }
  })

async function createKey({ command }: Container): Promise<string> {
  const created = await command(['user', 'create', 'ada', '--password-stdin', '--json'], 'correct horse battery\n')
  expect(created).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Data: .*\n$/) })
  return JSON.parse((await command(['key', 'create', 'ada', '--json'])).stdout).key
}

async function expectSearch(url: string, key: string): Promise<void> {
  const reply = await fetch(`${url}/api/v1/web/?q=climate`, { headers: { authorization: `Api-Key ${key}` } })
  expect(reply.status).toBe(200)
  expect(await reply.json()).toMatchObject({ engine: ['engine_a', 'engine_b', 'engine_c'] })
}

async function expectStop(container: Container): Promise<void> {
  const { code, ms } = await container.stop()
  process.stdout.write(`Stopped ${ms} ms after SIGTERM.\n`)
  expect(code).toBe(0)
  expect(ms).toBeLessThan(STOP_MS)
}

describe.skipIf(!canBuild)('the container image', { timeout: TEST_MS }, () => {
  it('is small, runs unprivileged, and checks its own health', () => {
    expect(image.sizeBytes).toBeLessThan(MOST_BYTES)
    expect(image.configuration).toMatchObject({
      User: `${USER}:${USER}`,
      Entrypoint: ['bowerbird'],
      Cmd: ['serve'],
      Labels: { 'org.opencontainers.image.licenses': 'Apache-2.0' },
      Healthcheck: { Test: ['CMD', 'bowerbird', 'health'] },
    })
  })

  it('contains a list of everything in it', async () => {
    const listed = 'JSON.stringify(JSON.parse(fs.readFileSync("sbom.cdx.json")).components.map((c) => c["bom-ref"]))'
    const sbom = await image.run(['--entrypoint=node'], ['--print', listed])
    const manifest = resolve(import.meta.dirname, '../../package.json')
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(await readFile(manifest, 'utf8'))
    // Our own libraries are bundled.
    const installed = Object.entries(dependencies).filter(([name]) => !name.startsWith('@bowerbird/'))
    const wanted = installed.map(([name, version]) => `${name}@${version}`)
    expect(JSON.parse(sbom.stdout)).toEqual(expect.arrayContaining(wanted))
    // What npm doesn't install: Debian's packages, and Node.js.
    const query = ['--show', '--showformat=pkg:deb/debian/${Package}@\n']
    const packages = (await image.run(['--entrypoint=dpkg-query'], query)).stdout.trim().split('\n')
    const others = ['pkg:generic/node@', ...packages]
    expect(packages).toContain('pkg:deb/debian/libc6@')
    expect(others.filter((start) => !sbom.stdout.includes(start))).toEqual([])
  })

  it('runs on a new volume alone, in 512 MB, and keeps its data across restarts', async () => {
    const mounts = ['bowerbird-data:/data']
    const startedAt = performance.now()
    const { container, url } = await start({}, mounts)
    await expectSearch(url, await createKey(container))
    process.stdout.write(
      `The first search was answered ${Math.round(performance.now() - startedAt)} ms after podman run.\n`,
    )
    expect(await container.command(['backup', '-'])).toMatchObject({ code: 0 })
    expect(await container.isHealthy()).toBe(true)
    const mostBytes = await container.mostMemoryBytes()
    process.stdout.write(`At most ${Math.round(mostBytes / 2 ** 20)} MiB of memory.\n`)
    expect(mostBytes).toBeLessThan(512 * 2 ** 20)
    await expectStop(container)
    const listed = await image.run([`--volume=${mounts[0]}`], ['user', 'list', '--json'])
    expect(JSON.parse(listed.stdout).users).toMatchObject([{ username: 'ada' }])
  })

  it('runs on PostgreSQL and Redis, and takes secrets from files', async () => {
    const database = await createEmptyDatabase()
    parts.defer(() => database.drop())
    const redis = await startPrivateRedis()
    parts.defer(() => redis.remove())
    const secrets = await makeFolder('secrets', USER)
    await writeFile(join(secrets, 'database'), `${database.url}\n`)
    await chmod(join(secrets, 'database'), 0o644)
    const settings = { DATABASE_URL_FILE: '/run/secrets/database', REDIS_URL: redis.url }
    const { container, url } = await start(settings, [`${secrets}:/run/secrets:ro`])
    await expectSearch(url, await createKey(container))
    await expectStop(container)
  })

  it('explains how to fix a folder that belongs to root', async () => {
    const { code, stderr } = await image.run([`--volume=${await makeFolder('of-root', 0)}:/data`], ['serve'])
    expect(code).toBe(1)
    expect(stderr).toContain('The data folder /data is not writable (EACCES). Run chown 10001 on it')
  })
})
