// The proxies of deploy/load-balancer, each in a container of its own between two networks: clients are in one,
// Bowerbird is in the other. Only names, certificates and addresses in the files are replaced.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { DockerShim } from './docker-shim.ts'

const execute = promisify(execFile)
const FILES = resolve(import.meta.dirname, '../../../deploy/load-balancer')
const SITE = 'search.example.org'
const GUESSES = 25

const PROXIES = [
  { file: 'haproxy.cfg', command: ['haproxy', '-db', '-f', '/proxy/haproxy.cfg'] },
  { file: 'nginx.conf', command: ['nginx', '-c', '/proxy/nginx.conf', '-g', 'daemon off;'] },
  { file: 'Caddyfile', command: ['caddy', 'run', '--adapter', 'caddyfile', '--config', '/proxy/Caddyfile'] },
]

/** An image with all three; the official ones can't be pulled here. */
async function makeImage(storage: string[]): Promise<void> {
  const buildah = async (args: string[]) => (await execute('buildah', [...storage, ...args])).stdout.trim()
  const container = await buildah(['from', 'scratch'])
  const root = await buildah(['mount', container])
  const packages = '--include=haproxy,nginx-light,caddy,ca-certificates'
  await execute('mmdebstrap', ['--quiet', '--variant=minbase', packages, 'bookworm', root])
  await buildah(['commit', '--rm', '--quiet', container, 'localhost/proxies'])
}

/** Writes the files as an operator would change them, and a certificate. */
async function writeFiles(folder: string): Promise<void> {
  const [key, certificate] = [join(folder, 'site.key'), join(folder, 'site.pem')]
  const names = ['-subj', `/CN=${SITE}`, '-days', '2', '-keyout', key, '-out', certificate]
  await execute('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names])
  await writeFile(join(folder, 'both.pem'), (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
  for (const { file } of PROXIES) {
    const shipped = await readFile(join(FILES, file), 'utf8')
    const changed = shipped
      .replaceAll('{$SITE_HOST}', SITE)
      .replaceAll(/10\.0\.0\.11:8080|\{\$NODES\}/g, 'bowerbird:8080')
      .replaceAll(/^ *server .*10\.0\.0\.1[23]:8080.*$/gm, '')
      .replaceAll(/\/etc\/nginx\/\S+\.(pem|key)/g, '/proxy/site.$1')
      .replaceAll(/\/etc\/haproxy\/\S+\.pem/g, '/proxy/both.pem')
      // What a sandboxed build machine allows.
      .replaceAll(/(maxconn|worker_connections) \d+/g, '$1 100')
    // Nobody can issue a certificate for this name here.
    const own = file === 'Caddyfile' ? changed.replace(/^\{$/m, '{\n\tlocal_certs\n\tskip_install_trust') : changed
    await writeFile(join(folder, file), own)
  }
}

/** What a client does, from its own container; it prints what it met. */
const CLIENT = `
process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const site = 'https://${SITE}'
const authorization = 'Api-Key ' + process.env.KEY
const claimed = { 'x-forwarded-for': '203.0.113.9' }
const isUp = () => fetch(site + '/readyz').then(({ ok }) => ok, () => false)
for (let tries = 0; tries < 60 && !(await isUp()); tries++) await new Promise((done) => setTimeout(done, 500))
const mine = await fetch(site + '/api/v1/instant/?q=what+is+my+ip', { headers: { authorization, ...claimed } })
const plain = await fetch(site.replace('https', 'http') + '/api/v1/web/?q=oak', { headers: { authorization }, redirect: 'manual' })
const page = await fetch(site + '/login', { headers: claimed })
const cookie = page.headers.getSetCookie().map((set) => set.split(';')[0]).join('; ')
const [, token] = /name="_csrf" value="([^"]+)"/.exec(await page.text())
const body = new URLSearchParams({ username: 'guess-' + process.env.NAME, password: 'wrong', _csrf: token })
const signIn = await fetch(site + '/login', { method: 'POST', body, headers: { cookie, origin: site, ...claimed } })
const guesses = []
while (guesses.length < Number(process.env.GUESSES))
  guesses.push((await fetch(site + '/api/v1/web/?q=oak', { headers: { authorization: 'Api-Key bowerbird_AAAAAAAA.guessed' } })).status)
console.log(JSON.stringify({ ip: (await mine.json()).ip, plain: plain.status, signIn: signIn.status, guesses }))
`

/** Bowerbird is the container `bowerbird` in the network `web`, which it trusts. */
export async function tryProxiesInContainers(docker: DockerShim, key: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-proxies-'))
  try {
    await Promise.all([makeImage(docker.storage), writeFiles(folder)])
    await docker.run(['network', 'create', '--subnet', '172.30.0.0/16', 'clients'])
    const ask = async (ip: string, guesses: number) => {
      const variables = { KEY: key, NAME: ip, GUESSES: String(guesses) }
      const options = Object.entries(variables).flatMap(([name, value]) => ['--env', `${name}=${value}`])
      const client = ['run', '--rm', '--network', 'clients', '--ip', ip, ...options, 'localhost/base']
      return JSON.parse(await docker.run([...client, 'node', '--input-type=module', '--eval', CLIENT]))
    }
    for (const [at, { file, command }] of PROXIES.entries()) {
      const networks = ['--network', 'clients', '--network-alias', SITE]
      const proxy = ['--name', 'proxy', ...networks, '--volume', `${folder}:/proxy:ro`, 'localhost/proxies']
      await docker.run(['create', ...proxy, ...command])
      await docker.run(['network', 'connect', 'web', 'proxy'])
      await docker.run(['start', 'proxy'])
      const [guesser, other] = [`172.30.${at + 1}1.9`, `172.30.${at + 1}2.9`]
      const first = await ask(guesser, GUESSES)
      expect({ file, ...first, guesses: new Set(first.guesses) }).toEqual({
        file,
        ip: guesser,
        plain: 403,
        signIn: 403,
        guesses: new Set([401, 429]),
      })
      expect({ file, ...(await ask(other, 1)) }).toEqual({ file, ip: other, plain: 403, signIn: 403, guesses: [401] })
      await docker.run(['rm', '--force', '--time', '0', 'proxy'])
    }
    const printed = await docker.run(['exec', 'bowerbird', 'bowerbird', 'audit', '--event', 'sign-in', '--json'])
    const events: { outcome: string; network: string }[] = JSON.parse(printed).events
    const failed = events.filter(({ outcome }) => outcome === 'failed')
    expect(new Set(failed.map(({ network }) => network)).size).toBe(2 * PROXIES.length)
  } finally {
    await docker.run(['rm', '--force', '--ignore', '--time', '0', 'proxy'])
    await docker.run(['network', 'rm', '--force', 'clients'])
    await rm(folder, { recursive: true, force: true })
  }
}
