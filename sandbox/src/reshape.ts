// Distorts a good reply in ways that keep it valid JSON.
import { isRecord } from './is-record.ts'

export type Shape = 'good' | 'omit-optional' | 'nulls' | 'wrong-envelope' | 'wrong-leaves'

type Reshape = (json: unknown, optionalMembers: readonly string[]) => unknown

const RESHAPES: Readonly<Record<Shape, Reshape>> = {
  good: (json) => json,
  'omit-optional': withoutMembers,
  nulls: withNulls,
  'wrong-envelope': (json) => (isRecord(json) ? mapMembers(json, wrongType) : wrongType(json)),
  'wrong-leaves': wrongLeaves,
}

export const reshape = (json: unknown, shape: Shape, optionalMembers: readonly string[]): unknown =>
  RESHAPES[shape](json, optionalMembers)

function withoutMembers(json: unknown, names: readonly string[]): unknown {
  if (Array.isArray(json)) return json.map((item) => withoutMembers(item, names))
  if (!isRecord(json)) return json
  const kept = Object.entries(json).filter(([name]) => !names.includes(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutMembers(value, names)]))
}

function withNulls(json: unknown, names: readonly string[]): unknown {
  if (Array.isArray(json)) return json.map((item) => withNulls(item, names))
  if (!isRecord(json)) return json
  return mapMembers(json, (value, name) => (names.includes(name) ? null : withNulls(value, names)))
}

function wrongLeaves(json: unknown): unknown {
  if (Array.isArray(json)) return json.map((item) => wrongLeaves(item))
  return isRecord(json) ? mapMembers(json, (value) => wrongLeaves(value)) : wrongType(json)
}

const mapMembers = (json: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, change(value, name)]))

function wrongType(value: unknown): unknown {
  if (typeof value === 'string') return 7
  if (typeof value === 'number') return 'seven'
  if (Array.isArray(value)) return 'not a list'
  return isRecord(value) ? [7] : null
}
