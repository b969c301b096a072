import { describe, expect, it } from 'vitest'
import { openSearchCompletions } from './open-search-completions.ts'

const completionsIn = (body: string, status = 200) => openSearchCompletions({ status, headers: {}, body })

describe('openSearchCompletions', () => {
  it('keeps the order and drops what is not text', () => {
    expect(completionsIn('["b",["b two","b one",null,7,"  "],[""],{}]')).toEqual(['b two', 'b one'])
  })

  it('is none when the provider knows none', () => {
    expect(completionsIn('["b",[]]')).toEqual([])
  })

  it.each(['', '[]', '["b"]', '["b",{}]', '["b",[7]]', '["b",["c"]', '{"1":["c"]}', '<html>'])(
    'is malformed, never none, for %j',
    (body) => {
      expect(() => completionsIn(body)).toThrow(expect.objectContaining({ kind: 'malformed', cause: undefined }))
    },
  )

  it('is the error that the status amounts to', () => {
    expect(() => completionsIn('["b",["c"]]', 429)).toThrow(expect.objectContaining({ kind: 'throttled' }))
  })
})
