// The folder order that ARCHITECTURE.md draws, as data, and a few structural rules that no linter checks.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const SOURCE = resolve(ROOT, 'server/src')

/** Each workspace, and the workspaces it may import. */
const WORKSPACES: Record<string, readonly string[]> = {
  reader: [],
  engines: ['reader'],
  answers: ['engines'],
  server: ['engines', 'answers', 'reader', 'sandbox'],
  sandbox: ['engines'],
}

/** A folder imports only from those below it in this list. A name without a folder is a single file. */
const ORDER: readonly string[] = [
  'bowerbird',
  'demo',
  'operate',
  'compose',
  'http',
  'metrics',
  'compat',
  'api',
  'site',
  'cli',
  'settings',
  'oauth',
  'oidc',
  'accounts',
  'cards',
  'maps',
  'translate',
  'search',
  'rules',
  'keys',
  'audit',
  'reader',
  'health',
  'cache',
  'upstream',
  'usage',
  'budget',
  'rate-limit',
  'store',
  'redis',
  'trace',
  'text',
  'config',
  'repeat',
  'lru-bounds',
  'errors',
  'log',
]

/** Only these folders may import these packages. */
const OWNERS: Record<string, string> = {
  pg: 'store',
  ioredis: 'redis',
  'node:sqlite': 'store',
  undici: 'upstream',
}

/** I/O modules that an adapter may not import. */
const IO = /^(?:node:(?:fs|net|http|https|child_process|dns|tls|worker_threads).*|undici|pg|ioredis)$/

/** Source files, without tests. */
const MOST_FILES_IN_A_FOLDER = 40

/** What a reader must understand to follow one rate-limit decision. */
const MOST_FILES_OF_A_RATE_LIMIT_DECISION = 14

const isTest = (file: string): boolean => /\.test(?:-\w+)?\.ts$/.test(file)

const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !isTest(file))

/** Without the manifest, from which `config/version.ts` reads the version. */
const importsIn = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/^(?:import|export|\} from)\b.*?'([^']+)'|\bimport\('([^']+)'\)/gm)]
    .map((match) => match[1] ?? match[2] ?? '')
    .filter((name) => !name.endsWith('/package.json'))

const importsOf = (file: string): string[] => importsIn(join(SOURCE, file))

/** `search/plan.ts` → search; `errors.ts` → errors. */
const partOf = (file: string): string => (dirname(file) === '.' ? basename(file, '.ts') : (file.split('/')[0] ?? ''))

const arrows = files.flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => ({ file, target: relative(SOURCE, resolve(SOURCE, dirname(file), target)) })),
)

/** A file and all of ours that it imports, directly or not, types included. */
function importClosure(file: string, reached = new Set<string>()): Set<string> {
  if (reached.has(file)) return reached
  reached.add(file)
  for (const { file: from, target } of arrows) if (from === file) importClosure(target, reached)
  return reached
}

/** Importable from every folder, and left out of the diagram. */
const GROUND = new Set(['trace', 'text', 'config', 'repeat', 'lru-bounds', 'errors', 'log'])

/** The folders each folder imports from. */
function importsByFolder(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const { file, target } of arrows) {
    const [from, to] = [partOf(file), partOf(target)]
    if (from === to || GROUND.has(from) || GROUND.has(to)) continue
    folders.set(from, (folders.get(from) ?? new Set()).add(to))
  }
  return folders
}

/** Without arrows implied by others. */
function essentialArrows(folders: Map<string, Set<string>>): string[] {
  const reachedFrom = (from: string): Set<string> =>
    new Set([...(folders.get(from) ?? [])].flatMap((to) => [to, ...reachedFrom(to)]))
  return [...folders].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reachedFrom(other).has(to)))
      .map((to) => `${from} --> ${to}`),
  )
}

/** `a & b --> c --> d` is `a --> c`, `b --> c` and `c --> d`. */
function drawnArrows(): string[] {
  const page = readFileSync(resolve(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const diagram = /```mermaid\nflowchart TD\n(.*?)```/s.exec(page)?.[1] ?? ''
  return diagram.split('\n').flatMap((line) => {
    const groups = line.split('-->').map((group) => group.split('&').map((name) => name.trim()))
    return groups
      .slice(1)
      .flatMap((targets, at) => (groups[at] ?? []).flatMap((from) => targets.map((to) => `${from} --> ${to}`)))
  })
}

/** Imports of a workspace's sources, without tests. */
const workspaceImports = (workspace: string): { file: string; name: string }[] =>
  globSync(`${workspace}/src/**/*.ts`, { cwd: ROOT })
    .filter((file) => !isTest(file))
    .flatMap((file) => importsIn(join(ROOT, file)).map((name) => ({ file, name })))

/** Data that is part of the program. */
const isDocument = (path: string): boolean => /^engines\/documents\/\w+\.json$/.test(path)

describe('the workspaces', () => {
  it.each(Object.entries(WORKSPACES))('%s imports only what it is allowed to', (workspace, allowed) => {
    const wrong = workspaceImports(workspace).filter(({ file, name }) => {
      const target = join(dirname(file), name)
      if (name.startsWith('.')) return !target.startsWith(`${workspace}/src/`) && !isDocument(target)
      return name.startsWith('@bowerbird/') && !allowed.includes(name.split('/')[1] ?? '')
    })
    expect(wrong).toEqual([])
  })

  it('engines do no I/O', () => {
    expect(workspaceImports('engines').filter(({ name }) => IO.test(name))).toEqual([])
  })
})

describe('the service', () => {
  it('matches the diagram in ARCHITECTURE.md', () => {
    expect(drawnArrows().sort()).toEqual(essentialArrows(importsByFolder()).sort())
  })

  it('every folder has a place in the order', () => {
    expect([...new Set(files.map(partOf))].filter((part) => !ORDER.includes(part))).toEqual([])
  })

  it('imports point down the order', () => {
    const wrong = arrows.filter(({ file, target }) => {
      const [from, to] = [partOf(file), partOf(target)]
      return from !== to && ORDER.indexOf(to) < ORDER.indexOf(from)
    })
    expect(wrong).toEqual([])
  })

  it('there are no circular imports', () => {
    const targets = Map.groupBy(arrows, ({ file }) => file)
    const reaches = (from: string, goal: string, seen = new Set<string>()): boolean =>
      (targets.get(from) ?? []).some(({ target }) => {
        if (target === goal) return true
        if (seen.has(target)) return false
        seen.add(target)
        return reaches(target, goal, seen)
      })
    expect(files.filter((file) => reaches(file, file))).toEqual([])
  })

  it('only postgres and redis import their drivers, and only upstream opens connections', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => name in OWNERS && OWNERS[name] !== partOf(file))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('no module imports node:http but for its types: see text/node-http.ts', () => {
    const importsHttp = (path: string) => /^import (?!type\b).*'node:https?'/m.test(readFileSync(path, 'utf8'))
    expect(files.filter((file) => importsHttp(join(SOURCE, file)))).toEqual([])
    const libraries = globSync('{engines,answers}/src/**/*.ts', { cwd: ROOT }).filter((file) => !isTest(file))
    expect(libraries.filter((file) => importsHttp(join(ROOT, file)))).toEqual([])
  })

  it('production imports nothing of the sandbox, the demo or the tests', () => {
    expect(arrows.filter(({ target }) => isTest(target) || target.startsWith('..'))).toEqual([])
    const outsideDemo = files.filter((file) => partOf(file) !== 'demo')
    const imported = outsideDemo.flatMap((file) => importsOf(file).filter((name) => /sandbox|vitest/.test(name)))
    expect(imported).toEqual([])
    // Loaded only by the demo command.
    const demo = arrows.filter(({ file, target }) => partOf(file) !== 'demo' && partOf(target) === 'demo')
    expect(demo.map(({ file }) => file)).toEqual(['bowerbird.ts'])
    expect(readFileSync(join(SOURCE, 'bowerbird.ts'), 'utf8')).not.toMatch(/^import .*demo/m)
  })

  it('no barrel files, no duplicate file names, no folder with a single file', () => {
    expect(files.filter((file) => basename(file) === 'index.ts')).toEqual([])
    const names = Map.groupBy(
      // Each language of the website has the same files.
      files.filter((file) => basename(file) !== 'all.ts' && !file.startsWith('site/i18n/')),
      (file) => basename(file),
    )
    expect([...names.values()].filter((same) => same.length > 1)).toEqual([])
    const folders = [...new Set(files.map((file) => dirname(file)))]
    const membersOf = (folder: string) => files.filter((file) => file.startsWith(`${folder}/`))
    expect(folders.filter((folder) => folder !== '.' && membersOf(folder).length < 2)).toEqual([])
  })

  it('no folder has too many files', () => {
    const folders = Map.groupBy(files, (file) => dirname(file))
    const crowded = [...folders].filter(([, members]) => members.length > MOST_FILES_IN_A_FOLDER)
    expect(crowded.map(([folder, members]) => `${folder}: ${members.length} files`)).toEqual([])
  })

  it('a rate-limit decision can be read in a few files', () => {
    const closure = [...importClosure('rate-limit/rate-limiter-with-fallback.ts')]
    expect(closure).toContain('redis/redis-client.ts')
    expect(closure.length, closure.join('\n')).toBeLessThanOrEqual(MOST_FILES_OF_A_RATE_LIMIT_DECISION)
  })
})
