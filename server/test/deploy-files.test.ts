// The files in deploy/ for Docker and systemd: every setting exists and has a valid value, and the parts fit together.
// `nightly/deploy-programs.test.ts` has the programs themselves validate them.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { keyPaths } from './support/key-paths.ts'
import { mistakesInSettings } from './support/mistakes-in-settings.ts'

const DEPLOY = resolve(import.meta.dirname, '../../deploy')
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')
const readYaml = (path: string): unknown => parse(read(path), { strict: true, uniqueKeys: true, merge: true })

const SAMPLES: Record<string, string> = {
  SITE_HOST: 'search.example.org',
  POSTGRES_PASSWORD: 'a-password',
  GRAFANA_PASSWORD: 'a-password',
  REDIS_PASSWORD: 'a-password',
  METRICS_TOKEN: 'a-token',
  INSTANCE_SECRET: 'a secret that is long enough for anyone',
}

const text = z.string().min(1)
const Service = z.strictObject({
  image: text,
  build: z.strictObject({ context: z.literal('..'), dockerfile: z.literal('deploy/Containerfile') }).optional(),
  restart: z.literal('unless-stopped'),
  command: text.optional(),
  entrypoint: z.array(text).optional(),
  ports: z.array(text).optional(),
  // podman-compose 1.0 knows no other form.
  env_file: z.literal('.env').optional(),
  environment: z.record(text, z.string()).optional(),
  volumes: z.array(text).optional(),
  tmpfs: z.array(text).optional(),
  working_dir: text.optional(),
  networks: z.array(text).optional(),
  depends_on: z.record(text, z.strictObject({ condition: z.literal('service_healthy') })).optional(),
  healthcheck: z.strictObject({ test: z.array(text), interval: text, retries: z.int() }).optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(text).optional(),
  cap_add: z.array(text).optional(),
  security_opt: z.array(text).optional(),
  mem_limit: text.optional(),
  stop_grace_period: text.optional(),
})
const Compose = z.strictObject({
  name: z.literal('bowerbird'),
  'x-locked': z.unknown().optional(),
  'x-node': z.unknown().optional(),
  services: z.record(text, Service),
  networks: z.record(text, z.unknown()).optional(),
  volumes: z.record(text, z.null()),
})

describe.each(['compose.yaml', 'compose.full.yaml'])('deploy/%s', (path) => {
  const compose = Compose.parse(readYaml(path))
  const services = Object.entries(compose.services)
  const nodes = services.filter(([, { build }]) => build)

  it('uses only settings that exist, with valid values', () => {
    expect(nodes.length).toBeGreaterThan(0)
    for (const [, { environment = {} }] of nodes) {
      // An empty one hides what .env has for another service.
      const given = Object.entries(environment).filter(([, value]) => value !== '')
      const filled = given.map(([name, value]) => [
        name,
        value.replace(
          /\$\{(\w+)(?::\?[^}]*|:-([^}]*))?\}/g,
          (_, variable: string, fallback = `no sample of ${variable}`) => SAMPLES[variable] ?? fallback,
        ),
      ])
      expect(mistakesInSettings(Object.fromEntries(filled))).toEqual([])
    }
  })

  it('has a service called bowerbird, whose address, port and data no .env can change', () => {
    expect(Object.keys(compose.services)).toContain('bowerbird')
    for (const [, { environment }] of nodes)
      expect(environment).toMatchObject({ HOST: '0.0.0.0', PORT: '8080', DATA_DIR: '/data' })
  })

  it('gives no container more rights than it needs', () => {
    for (const [name, service] of services)
      expect(service, name).toMatchObject({ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] })
  })

  it('locks down its nodes, and gives them a writable /data', () => {
    for (const [, node] of nodes) {
      expect(node.read_only).toBe(true)
      expect([...(node.volumes ?? []), ...(node.tmpfs ?? [])].join()).toContain('/data')
    }
  })

  it('references only services, networks and files that exist', () => {
    for (const [, { depends_on = {}, volumes = [], networks = [] }] of services) {
      for (const name of Object.keys(depends_on)) expect(compose.services).toHaveProperty(name)
      for (const name of networks) expect(compose.networks).toHaveProperty(name)
      for (const volume of volumes.map((volume) => volume.split(':')[0] ?? '')) {
        if (volume.startsWith('.')) expect(existsSync(join(DEPLOY, volume))).toBe(true)
        else expect(compose.volumes).toHaveProperty(volume)
      }
    }
  })

  it('exposes unencrypted ports only to this machine', () => {
    const open = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
    expect(open.filter((port) => !/ (?:\$\{PUBLISH:-)?127\.0\.0\.1:/.test(port) && !port.startsWith('caddy '))).toEqual(
      [],
    )
  })
})

describe('deploy/compose.full.yaml, part by part', () => {
  const { services, networks = {} } = Compose.parse(readYaml('compose.full.yaml'))
  const neighboursOf = (name: string) => {
    const own = services[name]?.networks ?? []
    const others = Object.entries(services).filter(([, { networks = [] }]) => networks.some((one) => own.includes(one)))
    return others.map(([other]) => other).filter((other) => other !== name && !other.startsWith('bowerbird'))
  }

  it('lets each part reach the nodes, and no others than it works with', () => {
    const neighbours = Object.keys(services).map((name) => [name, neighboursOf(name)])
    expect(Object.fromEntries(neighbours)).toMatchObject({
      caddy: [],
      apertium: [],
      postgres: ['redis', 'redis-cache', 'prometheus'],
      redis: ['postgres', 'redis-cache', 'prometheus'],
      'redis-cache': ['postgres', 'redis', 'prometheus'],
      grafana: ['prometheus'],
    })
    expect(services['bowerbird']?.networks?.length).toBeLessThanOrEqual(3)
    for (const name of ['data', 'translation']) expect(networks[name]).toEqual({ internal: true })
  })

  it('trusts the network of Caddy alone', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose fills it in
    const subnet = '${FRONT_NETWORK:-172.30.84.0/28}'
    expect(networks['front']).toEqual({ ipam: { config: [{ subnet }] } })
    expect(services['bowerbird']?.environment).toMatchObject({ TRUSTED_PROXIES: subnet })
  })

  it('asks for a password at Redis, and for a token at the metrics', () => {
    const { environment = {} } = services['bowerbird'] ?? {}
    for (const name of ['redis', 'redis-cache'])
      expect(services[name]?.command).toMatch(/--requirepass \$\{REDIS_PASSWORD:\?/)
    for (const name of ['REDIS_URL', 'REDIS_CACHE_URL'])
      expect(environment[name]).toMatch(/^redis:\/\/:\$\{REDIS_PASSWORD:/)
    expect(environment['METRICS_TOKEN']).toContain('METRICS_TOKEN:?')
    const [, file = ''] = /credentials_file: (\S+)/.exec(read('prometheus/prometheus.yml')) ?? []
    expect(services['prometheus']?.entrypoint?.join(' ')).toContain(`"$$METRICS_TOKEN" > ${file} `)
  })

  it('keeps the password of Grafana from the nodes', () => {
    expect(services['bowerbird']?.environment).toMatchObject({ GRAFANA_PASSWORD: '' })
  })
})

describe('deploy/systemd/bowerbird.service', () => {
  const lines = read('systemd/bowerbird.service').split('\n')
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? line.slice(name.length + 1) : []))

  it('uses only settings that exist', () => {
    const settings = valuesOf('Environment').flatMap((value) => value.split(' '))
    const pairs = settings.map((pair) => pair.split('=') as [string, string])
    expect(mistakesInSettings(Object.fromEntries(pairs))).toEqual([])
  })

  it('shares program, settings and data with the command beside it', () => {
    const command = read('systemd/bowerbird')
    expect(valuesOf('ExecStart')).toEqual(['/opt/bowerbird/bin/bowerbird serve'])
    expect(command).toContain('exec /opt/bowerbird/bin/bowerbird "$@"')
    const [file = ''] = valuesOf('EnvironmentFile')
    expect(command).toContain(`settings=${file.replace('-', '')}\n`)
    for (const setting of valuesOf('Environment').at(-1)?.split(' ') ?? []) expect(command).toContain(setting)
  })

  it('runs as an unprivileged user that can write only its data', () => {
    expect(valuesOf('User')).toEqual(['bowerbird'])
    for (const name of ['NoNewPrivileges', 'PrivateTmp', 'PrivateDevices']) expect(valuesOf(name)).toEqual(['yes'])
    expect(valuesOf('ProtectSystem')).toEqual(['strict'])
    expect(valuesOf('CapabilityBoundingSet')).toEqual([''])
  })

  it('leaves no memory on the disk, and can’t use up the machine', () => {
    expect(valuesOf('LimitCORE')).toEqual(['0'])
    expect(valuesOf('MemoryMax')).toEqual(['75%'])
    expect(valuesOf('TasksMax')).toEqual(['1024'])
  })
})

describe('plain HTTP', () => {
  const PAGE = '../docs/set-up/https.md'
  const FILES = ['Caddyfile', 'haproxy.cfg', 'nginx.conf', 'traefik.yaml'].map((name) => `load-balancer/${name}`)
  const PAGES = ['/', '/search', '/settings/keys', '/docs/api', '/tools', '/tools/currency']
  const paths = keyPaths().filter((path) => !path.includes('?'))

  it.each([...FILES, PAGE])('is refused by %s on every path that accepts a key', (file) => {
    // One pattern, which all these programs interpret alike. `nightly/proxies.test.ts` runs the installed ones.
    const patterns = [...read(file).matchAll(/\^\/\+\([\w|./()]+\)\(\/\|\$\)/g)].map(([pattern]) => new RegExp(pattern))
    expect(patterns).toHaveLength(file === PAGE ? 3 : 1)
    for (const pattern of patterns) {
      expect(paths.filter((path) => !pattern.test(path))).toEqual([])
      expect(PAGES.filter((path) => pattern.test(path))).toEqual([])
    }
    expect(read(file).match(/format/g)?.length).toBeGreaterThanOrEqual(patterns.length)
  })

  it('is refused by Caddy before it redirects', () => {
    for (const file of ['load-balancer/Caddyfile', PAGE]) {
      // Outside a `handle`, `redir` would run before any `respond`, regardless of their order.
      const [, block = ''] = /\nhttp:\/\/\S+ \{\n(.*?)\n\}/s.exec(read(file)) ?? []
      expect(block.match(/handle @\w+ \{\s+respond 403\s+\}/g)).toHaveLength(2)
      expect(block).toMatch(/handle \{\s+redir https:\S+\s+\}\s*$/)
    }
  })
})

describe('deploy/Containerfile', () => {
  const file = read('Containerfile')

  it('pins its base image by digest, and names no architecture', () => {
    // In a FROM, not an ARG, where Dependabot would not find it.
    const [pinned, ...others] = file.match(/^FROM .+$/gm) ?? []
    expect(pinned).toMatch(/^FROM \S+@sha256:[0-9a-f]{64} AS base$/)
    expect(others).toEqual(['FROM base AS build', 'FROM base'])
    expect(file).not.toMatch(/x64|amd64|x86|arm64|aarch64/)
  })

  it('uses only settings that exist', () => {
    const settings = [...file.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '))
    expect(mistakesInSettings(Object.fromEntries(settings.map((pair) => pair.split('='))))).toEqual([])
  })

  it('is built from files that exist, and no others', () => {
    const root = resolve(DEPLOY, '..')
    const [first, ...patterns] = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => /^[^#]/.test(line))
    expect(first).toBe('*')
    const allowed = patterns.flatMap((line) => (line.startsWith('!') ? line.slice(1) : []))
    expect(allowed.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
  })
})

it('every file under deploy/ that a document mentions exists', () => {
  const root = resolve(DEPLOY, '..')
  const named = globSync(['README.md', 'docs/**/*.md'], { cwd: root }).flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\bdeploy\/[\w./-]*\w/g)].map(([path]) => path),
  )
  // Settings, and the overlay that a reader makes by copying the example.
  const ofReaders = /\.env$|^deploy\/kubernetes\/production/
  expect(named.filter((path) => !ofReaders.test(path) && !existsSync(join(root, path)))).toEqual([])
})
