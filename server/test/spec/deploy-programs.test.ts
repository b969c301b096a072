// What deploy/ hands to HAProxy, nginx and systemd, judged by those programs. One that is not installed says so.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

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

/** The file with paths of this test in place of the machine's. */
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

it.skipIf(!isInstalled('systemd-analyze'))('systemd accepts its unit', async () => {
  // The program it starts is not where the unit says on this machine.
  const path = await prepared('systemd/bowerbird.service', [
    [/^ExecStart=\/usr\/bin\/node/gm, `ExecStart=${process.execPath}`],
  ])
  const { stdout, stderr } = await execute('systemd-analyze', ['verify', '--man=no', path])
  expect(stdout + stderr).not.toContain('bowerbird.service')
})
