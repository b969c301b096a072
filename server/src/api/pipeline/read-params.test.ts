import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readParams } from './read-params.ts'

const schema = z.object({
  q: z.string({ error: 'This parameter is required.' }).min(1, 'This parameter is required.'),
  engine: z.string().default('all'),
  include: z.string().default(''),
  page: z
    .string()
    .default('1')
    .refine((text) => /^\d+$/.test(text), 'Send a number.'),
})
const read = (query: Record<string, unknown>) => readParams(schema, query)

describe('parameters', () => {
  it('are read, with what was left out at its default', () => {
    expect(read({ q: 'climate', page: '3' })).toEqual({
      ok: true,
      params: { q: 'climate', engine: 'all', include: '', page: '3' },
    })
  })

  it('that nobody knows are ignored, even twice', () => {
    expect(read({ q: 'climate', utm_source: ['a', 'b'] })).toMatchObject({ ok: true })
  })

  it('have all their mistakes told at once, by name', () => {
    expect(read({ page: 'two' })).toEqual({
      ok: false,
      messages: { q: ['This parameter is required.'], page: ['Send a number.'] },
    })
  })

  it.each(['engine', 'include'])('may repeat %s, as the checkboxes of a form do', (name) => {
    expect(read({ q: 'climate', [name]: ['one', 'two'] })).toMatchObject({ ok: true, params: { [name]: 'one two' } })
  })

  it('may repeat nothing else, and one mistake is enough for that', () => {
    expect(read({ q: ['climate', 'change'] })).toEqual({
      ok: false,
      messages: { q: ['Send this parameter only once.'] },
    })
    expect(read({ q: 'climate', page: ['1', '2'] })).toEqual({
      ok: false,
      messages: { page: ['Send this parameter only once.'] },
    })
  })

  it('leave the query as it was', () => {
    const query = Object.freeze({ q: 'climate', engine: ['one', 'two'] })
    expect(read(query)).toMatchObject({ ok: true })
    expect(query.engine).toEqual(['one', 'two'])
  })
})
