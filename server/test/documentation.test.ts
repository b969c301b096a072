// Keeps the documents true where that is cheap: settings, endpoints, accounts, prices, programs, dependencies, links and
// commands. Adding an engine must not require a document, so engine settings are checked by family, not against a list.
// What a generator writes is in `generated-documents.test.ts`.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import { SERVICE_WORDS } from '../src/accounts/passwords.ts'
import { setUpApi } from '../src/api/api.test-harness.ts'
import { AUDIT_EVENTS } from '../src/audit/audit-event.ts'
import { ERROR_CODES } from '../src/errors.ts'
import { readConfiguration } from '../src/settings/configuration.ts'
import { SETTINGS_OF_EVERY_PROVIDER } from '../src/settings/provider-configuration.ts'
import { keylessNames } from '../src/settings/slot-configuration.ts'
import { MCP_REMOTE_VERSION } from '../src/site/docs/program-lines.ts'
import { PAGES as SITE_PAGES } from '../src/site/site.test-harness.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const PAGES = globSync(['*.md', 'docs/**/*.md', 'sandbox/*.md', 'clients/typescript/*.md', 'clients/*/*.md'], {
  cwd: ROOT,
})
const SETTINGS = read('docs/reference/settings.md')
const api = setUpApi()

const withoutCode = (text: string): string => text.replace(/^```.*?^```/gms, '').replace(/`[^`\n]*`/g, '')

/** The anchor that code hosts generate for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

const anchorsIn = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

it('docs/reference/settings.md names every setting, or its family', () => {
  const slugs = new Map(
    ALL_ENGINES.flatMap(({ slug, settings }) => Object.values(settings).map(({ env }) => [env, slug.toUpperCase()])),
  )
  const getFamily = (env: string): string => {
    const slug = slugs.get(env)
    return slug === undefined ? env.replace(/^ENGINE_[A-Z]_/, 'ENGINE_A_') : env.replace(slug, '<NAME>')
  }
  const names = [
    ...readConfiguration({}).shown.map(({ env }) => env),
    ...slugs.keys(),
    ...SETTINGS_OF_EVERY_PROVIDER.map((name) => `<NAME>_${name}`),
  ]
  const isNamed = (name: string) => SETTINGS.includes(`\`${name}\``)
  expect(names.length).toBeGreaterThan(80)
  expect(names.filter((name) => !isNamed(name) && !isNamed(getFamily(name)))).toEqual([])
})

it('docs/api/endpoints.md describes every path of the OpenAPI document', () => {
  const endpoints = read('docs/api/endpoints.md')
  const paths = Object.keys(api.document.paths)
  expect(paths.length).toBeGreaterThanOrEqual(10)
  expect(paths.filter((path) => !endpoints.includes(`\`${path}\``))).toEqual([])
})

it('the service sends every error code of docs/api/errors.md', () => {
  const sources = globSync('server/src/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test-*.ts'] })
    .filter((path) => !path.endsWith('src/errors.ts'))
    .map(read)
    .join('')
  // errors.ts itself sends those of the framework's errors.
  const ofFramework = ['url_too_long', 'content_type_unsupported', 'request_malformed']
  const codes = Object.keys(ERROR_CODES).filter((code) => !ofFramework.includes(code))
  expect(codes.filter((code) => !sources.includes(`'${code}'`))).toEqual([])
})

describe('docs/operate/accounts.md', () => {
  const page = read('docs/operate/accounts.md')

  const missing = (names: readonly string[]) => names.filter((name) => !page.includes(`\`${name}\``))

  it('docs/operate/accounts.md lists every word rejected in passwords', () => {
    expect(missing(SERVICE_WORDS)).toEqual([])
  })

  it('docs/operate/accounts.md lists every security event', () => {
    expect(missing(AUDIT_EVENTS)).toEqual([])
  })

  it('docs/operate/accounts.md states the free sign-in attempts before rate limiting', () => {
    const source = read('server/src/accounts/sign-in-limits.ts')
    const free = [...source.matchAll(/^const \w+ = \{ free: (\d+),/gm)].map((match) => match[1])
    const [, section = ''] = page.split('## Brute-force protection')
    const written = [...section.matchAll(/^\| [^|]+ \| (\d+) \|/gm)].map((match) => match[1])
    expect(free.length).toBeGreaterThanOrEqual(4)
    expect(new Set(written)).toEqual(new Set(free))
  })
})

describe('docs/set-up/engines.md', () => {
  const page = read('docs/set-up/engines.md')

  it('docs/set-up/engines.md names every engine that is asked without a key', () => {
    const { foundations, all } = keylessNames()
    const names = [...foundations, ...all].map((name) => name.replace(' (keyless)', ''))
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !page.includes(name))).toEqual([])
  })

  /** Names and prices stand in two cells of a row, in the same order; a star marks an engine without a safe search. */
  const priced = [...page.matchAll(/^\|[^|]+\| ([^|]+) \| ([\d.; ]+) \|$/gm)].flatMap(([, names = '', prices = '']) =>
    names.split('; ').map((name, index) => [name, prices.split('; ')[index]] as const),
  )

  it('docs/set-up/engines.md has prices', () => {
    expect(priced.length).toBeGreaterThan(3)
  })

  it.each(priced)('docs/set-up/engines.md has the price of %s, and whether it filters', (written, price) => {
    const engine = ALL_ENGINES.find(({ name }) => name === written.replace('\\*', ''))
    const tabs = Object.values(engine?.tabs ?? {})
    expect((engine?.terms.pricePerCallMicros ?? 0) / 1_000).toBe(Number(price))
    expect(tabs.some(({ honours }) => honours.includes('safe'))).toBe(!written.endsWith('\\*'))
  })
})

describe('docs/connect', () => {
  /** Clients append the rest. */
  const BASES: Record<string, string> = {
    '/tavily': '/tavily/search',
    '/firecrawl/v1': '/firecrawl/v1/search',
    '/firecrawl/v2': '/firecrawl/v2/search',
  }
  const hasRoute = (path: string): boolean => {
    const url = BASES[path] ?? path
    if (url === '' || SITE_PAGES.some((page) => page.path === url)) return true
    return (['GET', 'POST'] as const).some((method) => api.http.hasRoute({ method, url }))
  }
  // That one has no addresses; `spec/compat-situations.test.ts` holds it against what programs show.
  const pages = PAGES.filter((page) => /^docs\/connect\/(?!what-programs-show)/.test(page))

  it.each(pages)('%s has addresses, and each is a route', (page) => {
    const addresses = [...read(page).matchAll(/https:\/\/(?:key:<key>@)?host(?:\/k\/<key>)?([\w./]*)/g)]
    expect(addresses.length).toBeGreaterThan(0)
    expect(addresses.map(([, path = '']) => path.replace(/\.$/, '')).filter((path) => !hasRoute(path))).toEqual([])
  })

  it('docs/connect/claude-desktop.md names the version of mcp-remote that the nightly tests run', () => {
    const { packages } = JSON.parse(read('tools/compat-clients/package-lock.json'))
    expect(packages['node_modules/mcp-remote'].version).toBe(MCP_REMOTE_VERSION)
    expect(read('docs/connect/claude-desktop.md')).toContain(`"mcp-remote@${MCP_REMOTE_VERSION}"`)
  })
})

it('every runtime dependency has a sentence, and no other package does', () => {
  const dependencies = ['server', 'engines', 'answers', 'reader'].flatMap((workspace) => {
    const manifest: { dependencies: Record<string, string> } = JSON.parse(read(`${workspace}/package.json`))
    return Object.keys(manifest.dependencies).filter((name) => !/^@bowerbird\/(?!sandbox)/.test(name))
  })
  const rows = read('docs/decisions/0002-runtime-dependencies.md').matchAll(/^\| `([^`]+)` \| [A-Za-z].{20,}\. \|$/gm)
  expect([...rows].map((match) => match[1])).toEqual([...new Set(dependencies)].toSorted())
})

it.each(PAGES)('%s: every relative link works', (page) => {
  const targets = [...withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '')
  const broken = targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? resolve(ROOT, page) : resolve(ROOT, dirname(page), path)
      return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor))
    })
  expect(broken).toEqual([])
})

it.each(PAGES)('%s: every setting that it links to exists', (page) => {
  const linked = [...read(page).matchAll(/\[`([A-Z_]+)(?:=\w+)?`\]\([^)]*settings\.md/g)].map(([, name]) => name)
  expect(linked.filter((name) => !SETTINGS.includes(`\`${name}\``))).toEqual([])
})

it.each(PAGES)('%s: every npm script it names exists', (page) => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const runs = read(page).matchAll(/\bnpm (?:run (?:--silent )?([a-z:-]+)|(start|test)\b)/g)
  expect([...runs].map(([, run, alias]) => run ?? alias ?? '').filter((name) => !(name in scripts))).toEqual([])
})

it('every decision is listed, and every file path that a document mentions exists', () => {
  const decisions = globSync('docs/decisions/0*.md', { cwd: ROOT }).map((path) => path.split('/').at(-1) ?? '')
  const list = read('docs/decisions/README.md')
  expect(decisions.filter((name) => !list.includes(`(${name})`))).toEqual([])

  const isThere = (path: string) => existsSync(resolve(ROOT, path)) || existsSync(resolve(ROOT, 'server/src', path))
  const named = ['ARCHITECTURE.md', ...globSync('docs/decisions/*.md', { cwd: ROOT })].flatMap((page) =>
    [...read(page).matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|md|json))`/g)].map((match) => match[1] ?? ''),
  )
  expect(named.length).toBeGreaterThan(30)
  expect([...new Set(named)].filter((path) => !isThere(path))).toEqual([])
})
