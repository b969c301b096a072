import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { RenderedJson } from './rendered-json.ts'

describe('a rendered reply', () => {
  it('is compressed once for each encoding, however many ask at the same time', async () => {
    const reply = new RenderedJson({ straw: 'straw '.repeat(500) })
    const first = reply.compressed('gzip')
    expect(reply.compressed('gzip')).toBe(first)
    const bytes = await first
    expect(reply.compressed('gzip')).toBe(bytes)
    expect(gunzipSync(bytes)).toEqual(reply.bytes)
    expect(await reply.compressed('br')).not.toEqual(bytes)
  })

  it('has the tag of what it says', () => {
    expect(new RenderedJson({ a: 1 }).tag).toBe(new RenderedJson({ a: 1 }).tag)
    expect(new RenderedJson({ a: 1 }).tag).not.toBe(new RenderedJson({ a: 2 }).tag)
  })
})
