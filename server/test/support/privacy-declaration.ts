// Reads the tables of docs/security/privacy.md, and of docs/reference/metrics.md, which it refers to.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const DOCS = resolve(import.meta.dirname, '../../../docs')
const PAGE = resolve(DOCS, 'security/privacy.md')
const METRICS = resolve(DOCS, 'reference/metrics.md')

/** What each `<name>` in a Redis key stands for. */
const PLACEHOLDERS: Record<string, string> = {
  key: String.raw`\d+`,
  user: String.raw`\d+`,
  pseudonym: String.raw`[\w-]{22}`,
  hash: String.raw`[\w-]{22}`,
  day: String.raw`\d+`,
  month: String.raw`\d{4}-\d\d`,
  provider: '[a-z\\d]+',
  group: '[a-z]+',
  job: '[a-z]+',
  shard: String.raw`\d+`,
  use: '(?:search|suggestion|picture|status)',
}

export interface PrivacyDeclaration {
  /** `table.column` */
  columns: string[]
  redisKeys: RegExp[]
  logFields: string[]
  metrics: { name: RegExp; labels: string[] }[]
  cookies: string[]
}

export function readPrivacyDeclaration(): PrivacyDeclaration {
  const page = readFileSync(PAGE, 'utf8')
  const rowsOf = (heading: string) => tableUnder(page, heading)
  return {
    columns: rowsOf('PostgreSQL').flatMap(([tables = '', columns = '']) =>
      codesIn(tables).flatMap((table) => codesIn(columns).map((column) => `${table}.${column}`)),
    ),
    redisKeys: rowsOf('Redis').flatMap(([keys = '']) => codesIn(keys).map(toPattern)),
    logFields: rowsOf('Log').flatMap(([fields = '']) => codesIn(fields)),
    metrics: rowsIn(readFileSync(METRICS, 'utf8')).flatMap(([names = '', , labels = '']) =>
      codesIn(names).map((name) => ({ name: toPattern(name), labels: codesIn(labels) })),
    ),
    cookies: rowsOf('The browser').flatMap(([names = '']) => codesIn(names)),
  }
}

/** The cells of the first table under a heading, without its header row. */
function tableUnder(page: string, heading: string): string[][] {
  const rows = rowsIn(page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '')
  if (rows.length === 0) throw new Error(`privacy.md has no table under ${heading}`)
  return rows
}

function rowsIn(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) => line.split('|').slice(1, -1))
}

const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')

function toPattern(declared: string): RegExp {
  const escaped = declared.split(/(<\w+>|\*)/).map((part) => {
    if (part === '*') return String.raw`\w+`
    const name = /^<(\w+)>$/.exec(part)?.[1]
    if (name === undefined) return RegExp.escape(part)
    const pattern = PLACEHOLDERS[name]
    if (pattern === undefined) throw new Error(`privacy.md: what is <${name}>?`)
    return pattern
  })
  return new RegExp(`^${escaped.join('')}$`)
}

/** What is stored under `Redis keys`, `log` and `metrics`, and isn't declared. */
export function undeclaredIn(stored: ReadonlyMap<string, string>, declared: PrivacyDeclaration) {
  const linesIn = (place: string) => (stored.get(place) ?? '').split('\n').filter((line) => line !== '')
  const fields = new Set(linesIn('log').flatMap((line) => Object.keys(JSON.parse(line) as object)))
  return {
    redisKeys: linesIn('Redis keys').filter((name) => !declared.redisKeys.some((pattern) => pattern.test(name))),
    logFields: [...fields].filter((field) => !declared.logFields.includes(field)),
    metrics: linesIn('metrics').filter((line) => !line.startsWith('#') && !isDeclared(line, declared)),
  }
}

const SAMPLE = /^(\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? \S+$/

function isDeclared(sample: string, { metrics }: PrivacyDeclaration): boolean {
  const [, name = '', labels = ''] = SAMPLE.exec(sample) ?? []
  const used = [...labels.matchAll(/(\w+)="/g)].map((match) => match[1] ?? '').filter((label) => label !== 'le')
  return metrics.some((metric) => metric.name.test(name) && used.every((label) => metric.labels.includes(label)))
}
