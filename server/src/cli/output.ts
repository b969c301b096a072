// Prints results for the terminal or a script. Every write is awaited, so a list of a million keys is never held in
// memory.
import type { Writable } from 'node:stream'
import { PAGE_SIZE, type Page } from './operations.ts'
import { type Column, createTable } from './table.ts'

export const print = (stream: Writable, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })

export interface Result {
  json: boolean
  /** For scripts, on one line. */
  value: unknown
  /** For people. */
  lines: readonly string[]
}

export const printResult = (stream: Writable, { json, value, lines }: Result): Promise<void> =>
  print(stream, json ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))

export interface List<Row> {
  json: boolean
  /** The key of the list in the JSON. */
  name: string
  columns: Column<Row>[]
  pages: AsyncIterable<Row[]>
  whenEmpty: string
}

/** Printed page by page; the JSON is still one object on one line. */
export async function printList<Row>(stream: Writable, list: List<Row>): Promise<void> {
  const table = createTable(list.columns)
  const toText = (rows: Row[]) => (list.json ? rows.map((row) => JSON.stringify(row)).join(',') : table(rows))
  let count = 0
  for await (const rows of list.pages) {
    if (rows.length === 0) continue
    const opening = list.json ? (count === 0 ? `{"${list.name}":[` : ',') : ''
    await print(stream, opening + toText(rows))
    count += rows.length
  }
  if (list.json) await print(stream, count === 0 ? `{"${list.name}":[]}\n` : ']}\n')
  else if (count === 0) await print(stream, `${list.whenEmpty}\n`)
}

interface ListPart {
  /** Begin after this element. */
  after?: string
  /** The most elements in all. */
  limit?: number
}

/** Reads a list, or a part of it, page by page. */
export async function* readPages<Row>(
  read: (place: { after?: string; limit: number }) => Promise<Page<Row>>,
  { after, limit = Number.POSITIVE_INFINITY }: ListPart = {},
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

/** '2026-11-15 09:30', in UTC as everywhere; a dash for never. */
export const showMoment = (iso: string | null): string => (iso === null ? '-' : iso.slice(0, 16).replace('T', ' '))
