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
  it('are read, with defaults for those omitted', () => {
    expect(read({ q: 'climate', page: '3' })).toEqual({
      ok: true,
      params: { q: 'climate', engine: 'all', include: '', page: '3' },
      ignored: '',
    })
  })

  it('that are unknown are ignored, even repeated, and named as far as a header can', () => {
    const query = { q: 'climate', utm_source: ['a', 'b'], num: '3', 'x\r\ny': '1', ['z'.repeat(41)]: '1' }
    expect(read(query)).toMatchObject({ ok: true, ignored: 'utm_source, num' })
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`p${at}`, '']))
    expect(read({ q: 'climate', ...many })).toMatchObject({ ignored: expect.stringMatching(/^p0, p1, .* p19$/) })
  })

  it('have all their errors reported together, by name', () => {
    expect(read({ page: 'two' })).toEqual({
      ok: false,
      messages: { q: ['This parameter is required.'], page: ['Send a number.'] },
    })
  })

  it.each(['engine', 'include'])('may repeat %s, as the checkboxes of a form do', (name) => {
    expect(read({ q: 'climate', [name]: ['one', 'two'] })).toMatchObject({ ok: true, params: { [name]: 'one two' } })
  })

  it('may not repeat anything else, which is then the only error reported', () => {
    expect(read({ q: ['climate', 'change'] })).toEqual({
      ok: false,
      messages: { q: ['Send this parameter only once.'] },
    })
    expect(read({ q: 'climate', page: ['1', '2'] })).toEqual({
      ok: false,
      messages: { page: ['Send this parameter only once.'] },
    })
  })

  it('do not change the query object', () => {
    const query = Object.freeze({ q: 'climate', engine: ['one', 'two'] })
    expect(read(query)).toMatchObject({ ok: true })
    expect(query.engine).toEqual(['one', 'two'])
  })
})
