// SQLite has numbers, texts and bytes. A column's type, as `create table` wrote it, tells what they mean: values arrive
// as those of PostgreSQL's driver do. Moments are microseconds since 1970; arrays and documents are JSON.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite'

const MICROS_PER_MS = 1_000n

/** Returns undefined for a text that is no moment. */
export function toMicros(written: string): bigint | undefined {
  const ms = Date.parse(written)
  if (Number.isNaN(ms)) return undefined
  // JavaScript reads three digits of a second's fraction.
  const [, beyondMs = ''] = /\.\d{3}(\d{1,3})/.exec(written) ?? []
  return BigInt(ms) * MICROS_PER_MS + BigInt(beyondMs.padEnd(3, '0'))
}

const toDate = (micros: bigint): Date => new Date(Number(micros / MICROS_PER_MS))

export function toParameter(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'bigint' || value instanceof Uint8Array) return value
  if (typeof value === 'boolean') return value ? 1n : 0n
  // Otherwise it would become a floating-point number, and a text column would show it.
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (value instanceof Date) return BigInt(value.getTime()) * MICROS_PER_MS
  return JSON.stringify(value)
}

type Reader = (value: Exclude<SQLOutputValue, null>) => unknown

/** Ids are texts, because nothing counts with them, and counts that may be large are, too. */
const READERS: Record<string, Reader> = {
  integer: String,
  bigint: String,
  int: Number,
  boolean: (value) => value !== 0n,
  timestamptz: (value) => (typeof value === 'bigint' ? toDate(value) : value),
  'timestamptz[]': (value) => (JSON.parse(String(value)) as string[]).map((moment) => new Date(moment)),
  'text[]': (value) => JSON.parse(String(value)),
  jsonb: (value) => JSON.parse(String(value)),
  bytea: (value) => (value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.length) : value),
}

/** What an expression returns has no type. */
const readExpression: Reader = (value) => (typeof value === 'bigint' ? Number(value) : value)

export function getReader(type: string | null): (value: SQLOutputValue) => unknown {
  const read = READERS[type?.toLowerCase() ?? ''] ?? readExpression
  return (value) => (value === null ? null : read(value))
}
