// HAProxy, nginx, systemd and podman-compose validate their files in deploy/. A program that isn't installed is reported.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBalancer } from '../support/balancers.ts'
import { keyPaths } from '../support/key-paths.ts'

const DEPLOY = resolve(import.meta.dirname, '../../../deploy')
const execute = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-deploy-'))
  const [key, certificate] = [join(folder, 'site.key'), join(folder, 'site.crt')]
  const names = ['-subj', '/CN=search.example.org', '-days', '2', '-keyout', key, '-out', certificate]
  await execute('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names])
  await writeFile(join(folder, 'both.pem'), (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function isInstalled(program: string): boolean {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  if (folders.some((path) => existsSync(join(path, program)))) return true
  process.stderr.write(`Skipped: no ${program} here.\n`)
  return false
}

const program = (name: string): string => (existsSync(`/usr/sbin/${name}`) ? `/usr/sbin/${name}` : name)

/** The file, with this machine's paths replaced by those of the test. */
async function prepared(path: string, replacements: [RegExp, string][]): Promise<string> {
  let text = await readFile(join(DEPLOY, path), 'utf8')
  for (const [pattern, replacement] of replacements) text = text.replaceAll(pattern, replacement)
  const copy = join(folder, path.split('/').at(-1) ?? '')
  await writeFile(copy, text)
  return copy
}

it.skipIf(!isInstalled('haproxy'))('HAProxy accepts its configuration', async () => {
  const path = await prepared('load-balancer/haproxy.cfg', [[/\/etc\/haproxy\/\S+\.pem/g, join(folder, 'both.pem')]])
  await execute(program('haproxy'), ['-c', '-f', path])
})

it.skipIf(!isInstalled('nginx'))('nginx accepts its configuration', async () => {
  const path = await prepared('load-balancer/nginx.conf', [
    [/\/etc\/nginx\/\S+\.pem/g, join(folder, 'site.crt')],
    [/\/etc\/nginx\/\S+\.key/g, join(folder, 'site.key')],
    [/\/var\/log\/nginx/g, folder],
  ])
  const alone = `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`
  const { stderr } = await execute(program('nginx'), ['-t', '-c', path, '-p', folder, '-e', 'stderr', '-g', alone])
  expect(stderr).toContain('test is successful')
})

describe('plain HTTP gets 403 on every path that takes a key, and a redirect on pages', () => {
  /** Uses the ports of this test. */
  const moved = (text: string, port: number): string =>
    text
      .replaceAll(/\/etc\/(?:nginx|ssl)\/\S+\.pem/g, join(folder, 'site.crt'))
      .replaceAll(/\/etc\/(?:nginx|ssl)\/\S+\.key/g, join(folder, 'site.key'))
      .replaceAll(/\/etc\/haproxy\/\S+\.pem/g, join(folder, 'both.pem'))
      .replaceAll(/\/var\/log\/nginx/g, folder)
      .replaceAll('maxconn 20000', 'maxconn 100')
      .replaceAll(/(listen |bind :)443/g, `$1${port + 1}`)
      .replaceAll(/(listen |bind :)80\b/g, `$1${port}`)

  const NGINX = ['-e', 'stderr', '-g', 'daemon off; pid nginx.pid; error_log stderr;']

  async function judge(name: string, { args, text }: { args: (file: string) => string[]; text: string }) {
    const balancer = await startBalancer(program(name), { args, configure: (port) => moved(text, port) })
    const statusOf = async (path: string) => {
      const { status } = await fetch(`${balancer.url}${path}`, { redirect: 'manual' })
      return `${status} ${path}`
    }
    try {
      const paths = keyPaths()
      expect(await Promise.all(paths.map(statusOf))).toEqual(paths.map((path) => `403 ${path}`))
      const pages = ['/', '/login', '/search?q=oak', '/settings/connect', '/docs/api']
      expect(await Promise.all(pages.map(statusOf))).toEqual(pages.map((path) => `301 ${path}`))
    } finally {
      await balancer.close()
    }
  }

  it.skipIf(!isInstalled('haproxy'))('by HAProxy', async () => {
    const text = await readFile(join(DEPLOY, 'load-balancer/haproxy.cfg'), 'utf8')
    await judge('haproxy', { args: (file) => ['-db', '-f', file], text })
  })

  const nginxArguments = (file: string) => ['-c', file, '-p', folder, ...NGINX]

  it.skipIf(!isInstalled('nginx'))('by nginx', async () => {
    const text = await readFile(join(DEPLOY, 'load-balancer/nginx.conf'), 'utf8')
    await judge('nginx', { args: nginxArguments, text })
  })

  it.skipIf(!isInstalled('nginx'))('by nginx as in docs/set-up/https.md', async () => {
    const page = await readFile(resolve(DEPLOY, '../docs/set-up/https.md'), 'utf8')
    const [, block = ''] = /```nginx\n([^`]+)```/.exec(page) ?? []
    await judge('nginx', { args: nginxArguments, text: `events {}\nhttp {\n${block}}\n` })
  })
})

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
    const secrets = ['SITE_HOST', 'POSTGRES_PASSWORD', 'INSTANCE_SECRET', 'GRAFANA_PASSWORD']
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
