// The import table of ARCHITECTURE.md as data, and the few rules of form that no linter knows.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const SOURCE = resolve(import.meta.dirname, '../src')

/** Each ring imports only from the rings after it, and its folders never import each other. */
const RINGS: readonly (readonly string[])[] = [
  ['(root)'],
  ['api', 'site', 'cli'],
  ['access', 'search', 'answers', 'cards', 'maps', 'translate', 'status'],
  ['sources'],
  ['engines', 'upstream', 'state'],
  ['text', 'errors', 'config', 'log'],
]

/** Only these folders may import these packages. */
const KEEPERS: Record<string, string> = {
  pg: 'state',
  ioredis: 'state',
  '@electric-sql/pglite': 'state',
  undici: 'upstream',
}

/** Ways to do I/O that an adapter has no business with. */
const IO = /^(?:node:(?:fs|net|http|https|child_process|dns|tls|worker_threads).*|undici|pg|ioredis)$/

const files = globSync('**/*.ts', { cwd: SOURCE }).filter((file) => !/\.test(?:-\w+)?\.ts$/.test(file))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )

/** `search/plan.ts` → search; `errors.ts` → errors, a part of one file; any other file at the top is the root. */
function partOf(file: string): string {
  if (dirname(file) !== '.') return file.split('/')[0] ?? ''
  const name = basename(file, '.ts')
  return RINGS.flat().includes(name) ? name : '(root)'
}

const ringOf = (part: string): number => RINGS.findIndex((ring) => ring.includes(part))

const arrows = files.flatMap((file) =>
  importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => ({ file, target: relative(SOURCE, resolve(SOURCE, dirname(file), target)) })),
)

describe('the architecture', () => {
  it('every folder has its place in the table', () => {
    expect([...new Set(files.map(partOf))].filter((part) => ringOf(part) === -1)).toEqual([])
  })

  it('imports run only to rings further in, and never between folders of one ring', () => {
    const wrong = arrows.filter(({ file, target }) => {
      const [from, to] = [partOf(file), partOf(target)]
      return from !== to && ringOf(to) <= ringOf(from)
    })
    expect(wrong).toEqual([])
  })

  it('no file reaches itself through its imports', () => {
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

  it('only state speaks to PostgreSQL and Redis, only upstream opens connections', () => {
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => name in KEEPERS && KEEPERS[name] !== partOf(file))
        .map((name) => `${file} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it('engines and sources do no I/O', () => {
    const adapters = files.filter((file) => ['engines', 'sources'].includes(partOf(file)))
    expect(adapters.filter((file) => importsOf(file).some((name) => IO.test(name)))).toEqual([])
  })

  it('no barrel, no two files of one name, no folder of one file', () => {
    expect(files.filter((file) => basename(file) === 'index.ts')).toEqual([])
    const names = Map.groupBy(
      files.filter((file) => basename(file) !== 'all.ts'),
      (file) => basename(file),
    )
    expect([...names.values()].filter((same) => same.length > 1)).toEqual([])
    const folders = Map.groupBy(
      files.filter((file) => file.includes('/')),
      (file) => dirname(file),
    )
    expect([...folders].filter(([, members]) => members.length < 2).map(([folder]) => folder)).toEqual([])
  })

  it('no file is longer than 300 lines', () => {
    const everything = globSync(['server/**/*.ts', 'sandbox/**/*.ts', 'bench/**/*.ts', 'tools/**/*.ts'], {
      cwd: resolve(SOURCE, '../..'),
      exclude: (name) => name.includes('node_modules'),
    })
    const long = everything.filter(
      (file) => readFileSync(resolve(SOURCE, '../..', file), 'utf8').split('\n').length > 301,
    )
    expect(long).toEqual([])
  })
})
