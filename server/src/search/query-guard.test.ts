import { describe, expect, it } from 'vitest'
import { Caller } from './caller.ts'
import { playSearch, REQUEST } from './search.test-harness.ts'

const caller = new Caller({ queryGuard: 'refuse' })
const ask = { caller, tab: 'web' as const, request: { ...REQUEST, text: 'declined DE89 3704 0044 0532 0130 00' } }

describe('QUERY_GUARD=refuse', () => {
  it('a search and its preview are refused before any engine is asked', async () => {
    const { search, preview, asked } = playSearch({ one: { pages: ['oak'] } })
    await expect(search(ask)).rejects.toMatchObject({ code: 'secret_in_query' })
    await expect(preview(ask)).rejects.toMatchObject({ code: 'secret_in_query' })
    expect(asked).toEqual([])
  })

  it('private engines get the query as it is', async () => {
    const { search, asked } = playSearch({ one: { pages: ['oak'] } }, { isPrivate: true })
    const { request } = await search(ask)
    expect(request).toBe(ask.request)
    expect(asked).toHaveLength(1)
  })
})
