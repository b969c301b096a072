// systemd and podman-compose validate their files in deploy/. A program that isn't installed is reported.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

const DEPLOY = resolve(import.meta.dirname, '../../../deploy')
const execute = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-deploy-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function isInstalled(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  if (folders.some((path) => existsSync(join(path, program)))) return true
  process.stderr.write(`Skipped: no ${program} here.\n`)
  return false
}

/** The file, with this machine's paths replaced by those of the test. */
async function prepared(path: string, replacements: [RegExp, string][]): Promise<string> {
  let text = await readFile(join(DEPLOY, path), 'utf8')
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement)
  const copy = join(folder, path.split('/').at(-1) ?? '')
  await writeFile(copy, text)
  return copy
}

it.skipIf(!isInstalled('systemd-analyze'))('systemd accepts its unit, and finds it well locked down', async () => {
  // The program isn't installed where the unit expects it.
  const path = await prepared('systemd/bowerbird.service', [[/^ExecStart=\S+/gm, `ExecStart=${process.execPath}`]])
  const { stdout, stderr } = await execute('systemd-analyze', ['verify', '--man=no', path])
  expect(stdout + stderr).not.toContain('bowerbird.service')
  // Fails above the threshold, which is in tenths.
  await execute('systemd-analyze', ['security', '--offline=true', '--threshold=15', path])
})

it.skipIf(!isInstalled('podman-compose')).each(['compose.yaml', 'compose.full.yaml'])(
  'podman-compose starts a container called bowerbird from %s',
  async (name) => {
    const project = join(folder, name)
    await mkdir(project)
    const passwords = ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'GRAFANA_PASSWORD']
    const secrets = ['SITE_HOST', 'INSTANCE_SECRET', 'METRICS_TOKEN', ...passwords]
    await writeFile(join(project, '.env'), secrets.map((secret) => `${secret}=a-value\n`).join(''))
    await copyFile(join(DEPLOY, name), join(project, name))
    // Records what it's told to do, and does nothing: even a dry run creates volumes.
    const podman = join(project, 'podman')
    await writeFile(podman, '#!/bin/sh\necho "podman $*"\n', { mode: 0o755 })
    const options = ['--podman-path', podman, '--file', join(project, name)]
    const { stdout, stderr } = await execute('podman-compose', [...options, 'up', '--detach'])
    expect(stdout + stderr).toMatch(
      /run --name=\S+_bowerbird_1 .* --env-file \S+\.env -e HOST=0\.0\.0\.0 .* localhost\/bowerbird/,
    )
  },
)
