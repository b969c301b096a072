import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HostTable } from './host-table.ts'

const VALUES = ['a', 'b', 'c'] as const

describe('HostTable', () => {
  it('holds what a Map holds', () => {
    const host = fc.string({ unit: fc.constantFrom('a', 'b', '.', '-'), minLength: 1, maxLength: 6 })
    const entries = fc.array(fc.tuple(host, fc.constantFrom(...VALUES)), { maxLength: 300 })
    fc.assert(
      fc.property(entries, fc.array(host), (list, others) => {
        const table = new HostTable(VALUES)
        const map = new Map(list)
        for (const [name, value] of list) table.set(name, value)
        for (const name of [...map.keys(), ...others]) expect(table.get(name)).toBe(map.get(name))
      }),
    )
  })

  it('holds names that were made to collide', () => {
    const collisions = collidingNames(200)
    const table = new HostTable(VALUES)
    for (const name of collisions) table.set(name, 'a')
    // Growing must find them, too.
    for (let number = 0; number < 2_000; number++) table.set(`other${number}.example`, 'b')
    for (const name of collisions) expect(table.get(name)).toBe('a')
    for (const name of collisions) table.set(name, 'c')
    for (let number = 0; number < 8_000; number++) table.set(`other${number}.example`, 'b')
    for (const name of collisions) expect(table.get(name)).toBe('c')
    for (let number = 0; number < 8_000; number++) expect(table.get(`other${number}.example`)).toBe('b')
    expect(table.get('absent.example')).toBeUndefined()
  })
})

/** Names that share the last bits of their hash, which decide where they begin in a table of this size. */
function collidingNames(count: number): string[] {
  const names: string[] = []
  for (let number = 0; names.length < count; number++) {
    const name = `n${number}.example`
    let hash = 0x811c9dc5
    for (const letter of name) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
    if (((hash ^ (hash >>> 15)) & 0xff) === 7) names.push(name)
  }
  return names
}
