// Keeps the documents true where that is cheap: settings, endpoints, dependencies, links and commands. Adding an engine
// must not require a document, so engine settings are checked by family, not against a list.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import { setUpApi } from '../src/api/api.test-harness.ts'
import { readConfiguration } from '../src/settings/configuration.ts'
import { SETTINGS_OF_EVERY_PROVIDER } from '../src/settings/provider-configuration.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const PAGES = globSync(['*.md', 'docs/**/*.md', 'sandbox/*.md', 'clients/typescript/*.md', 'clients/*/*.md'], {
  cwd: ROOT,
})
const CONFIGURE = read('docs/reference/settings.md')

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

describe('docs/reference/settings.md', () => {
  const { shown } = readConfiguration({})
  const ofEngines = new Map(
    ALL_ENGINES.flatMap(({ slug, settings }) => Object.values(settings).map((s) => [s.env, slug])),
  )

  it('has a row for every setting, with its default', () => {
    const missing = shown
      .filter(({ env }) => !ofEngines.has(env) && !env.endsWith('_WEIGHT') && !env.endsWith('_WHEN'))
      .map(
        ({ env, shown: value }) => `| \`${env}\` | ${['not set', ''].includes(value) ? 'not set' : `\`${value}\``} |`,
      )
      .filter((row) => !CONFIGURE.includes(row))
    expect(missing).toEqual([])
  })

  it('names every family of settings', () => {
    const families = ['ENGINE_A_WEIGHT', 'ENGINE_A_WHEN', ...SETTINGS_OF_EVERY_PROVIDER.map((name) => `<NAME>_${name}`)]
    expect(families.filter((family) => !CONFIGURE.includes(`\`${family}\``))).toEqual([])
  })

  it('names every engine setting, or its family', () => {
    const missing = [...ofEngines].filter(([env, slug]) => {
      const family = env.replace(`${slug.toUpperCase()}_`, '<NAME>_')
      return ![env, family].some((name) => CONFIGURE.includes(`\`${name}\``))
    })
    expect(missing).toEqual([])
  })
})

describe('docs/api', () => {
  const api = setUpApi()

  it('describes every path of the OpenAPI document', () => {
    const paths = Object.keys(api.document.paths)
    expect(paths.length).toBeGreaterThanOrEqual(10)
    const endpoints = read('docs/api/endpoints.md')
    expect(paths.filter((path) => !endpoints.includes(`\`${path}\``))).toEqual([])
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
