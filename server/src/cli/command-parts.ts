// What commands share: options, examples below the help, and printing for the terminal or a script. Every write is
// awaited, so a list of a million keys is never held in memory.
import type { Writable } from 'node:stream'
import { type Command, InvalidArgumentError } from 'commander'
import { Refusal } from '../errors.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import { PAGE_SIZE, type Page, type Perform } from './operations.ts'

export const JSON_OPTION = ['--json', 'print one line of JSON, for scripts'] as const

export function addExamples(command: Command, lines: readonly string[]): void {
  const title = lines.length === 1 ? 'Example' : 'Examples'
  command.addHelpText('after', `\n${title}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`)
}

/** The answer to a prompt that was left. */
export const cancelled = () => new Refusal('conflict', 'Cancelled. Nothing was changed.')

/** The options of a list that can be long. */
export interface ListOptions {
  json?: boolean
  /** The maximum number of elements in total. */
  limit?: number
  /** Begin after this element. */
  after?: string
}

export const LIMIT_OPTION = ['--limit <number>', 'list at most this many', readLimit] as const

export function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1) throw new InvalidArgumentError('Use a whole number, at least 1.')
  return limit
}

export function readId(text: string): string {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('Use an id, which is a number.')
  return text
}

/** Longer than any accepted password or key; anything beyond this is refused for its length. */
const MAX_LINE_BYTES = 8_192

/**
 * Reads a secret from standard input. Never from the command line: arguments are visible to every user of the machine and
 * stay in the shell history. Empty if there is none.
 */
export async function readFirstLine({ stdin }: CliHost): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    size += bytes.length
    if (bytes.includes('\n') || size > MAX_LINE_BYTES) break
  }
  const [line = ''] = Buffer.concat(chunks).toString('utf8', 0, MAX_LINE_BYTES).split(/\r?\n/, 1)
  return line
}

export const print = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

interface Result {
  /** For scripts, on one line. */
  value: unknown
  /** For people. */
  lines: readonly string[]
}

export const printResult = (host: CliHost, json: boolean, { value, lines }: Result): Promise<void> =>
  print(host.stdout, json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))

export const performAndPrint = (host: CliHost, json: boolean, run: (perform: Perform) => Promise<Result>) =>
  administer(host, async (perform) => printResult(host, json, await run(perform)))

interface List<Row> extends ListOptions {
  /** The key of the list in the JSON. */
  name: string
  columns: Column<Row>[]
  readPage: (perform: Perform, place: { after?: string; limit: number }) => Promise<Page<Row>>
  whenEmpty: string
}

/** Prints a list, or a part of it, page by page. */
export const printList = <Row>(host: CliHost, list: List<Row>): Promise<void> =>
  administer(host, async (perform) => {
    const { json = false, name, columns, whenEmpty } = list
    const table = createTable(columns)
    const toText = (rows: Row[]) => (json ? rows.map((row) => JSON.stringify(row)).join(',') : table(rows))
    let count = 0
    for await (const rows of readPages((place) => list.readPage(perform, place), list)) {
      if (rows.length === 0) continue
      const opening = json ? (count === 0 ? `{"${name}":[` : ',') : ''
      await print(host.stdout, opening + toText(rows))
      count += rows.length
    }
    if (json) await print(host.stdout, count === 0 ? `{"${name}":[]}\n` : ']}\n')
    else if (count === 0) await print(host.stdout, `${whenEmpty}\n`)
  })

async function* readPages<Row>(
  read: (place: { after?: string; limit: number }) => Promise<Page<Row>>,
  { after, limit = Number.POSITIVE_INFINITY }: ListOptions,
): AsyncGenerator<Row[]> {
  let left = limit
  let place: { after?: string } | undefined = after === undefined ? {} : { after }
  while (place && left > 0) {
    const { items, next }: Page<Row> = await read({ ...place, limit: Math.min(left, PAGE_SIZE) })
    yield items
    left -= items.length
    place = next === null ? undefined : { after: next }
  }
}

/** '2026-11-15 09:30', always in UTC; a dash for never. */
export const formatTimestamp = (iso: string | null): string => (iso === null ? '-' : iso.slice(0, 16).replace('T', ' '))

export interface Column<Row> {
  title: string
  cell: (row: Row) => string
}

const GAP = '  '

/**
 * Aligns columns for the terminal. The first rows decide the widths; a wider cell in a later row only shifts its own
 * line, so that rows can be printed as they arrive. The last column is not padded: it is for values that may be long or
 * wide. The titles come with the first rows.
 */
function createTable<Row>(columns: readonly Column<Row>[]): (rows: readonly Row[]) => string {
  let widths: number[] | undefined
  return (rows) => {
    const lines = rows.map((row) => columns.map(({ cell }) => cell(row)))
    if (widths === undefined) {
      lines.unshift(columns.map(({ title }) => title))
      widths = measure(lines)
    }
    const padding = widths
    return lines.map((cells) => `${alignCells(cells, padding)}\n`).join('')
  }
}

/** Aligns the cells of a few lines that are all known in advance, without titles. */
export function alignLines(lines: readonly string[][]): string[] {
  const widths = measure(lines)
  return lines.map((cells) => alignCells(cells, widths))
}

function measure(lines: readonly string[][]): number[] {
  const widths: number[] = []
  for (const cells of lines)
    for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return widths
}

const alignCells = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(GAP)
    .trimEnd()
