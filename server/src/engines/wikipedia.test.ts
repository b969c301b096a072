import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/support/read-fixture.ts'
import { wikipedia } from './wikipedia.ts'

const { suggest } = wikipedia

const answered =
  (body: string, status = 200) =>
  () =>
    suggest?.parse({ status, headers: {}, body })

describe('wikipedia suggest', () => {
  it('asks for ten titles of articles', () => {
    expect(suggest?.request({ text: 'bower b', lang: 'en' }, { baseUrl: '' }).path).toBe(
      '/w/api.php?action=opensearch&format=json&formatversion=2&search=bower%20b&namespace=0&limit=10',
    )
  })

  it('gives titles, best first', () => {
    expect(suggest?.parse(readFixture('wikipedia-suggest-page'))).toEqual(['Bower', 'Bowerbird', 'Bower Manuscript'])
  })

  it.each([
    ['ratelimited', 'throttled'],
    ['maxlag', 'throttled'],
    ['badvalue', 'rejected'],
  ])('with status 200 and the error %s is %s', (code, kind) => {
    expect(answered(JSON.stringify({ error: { code, info: 'canary' } }))).toThrow(expect.objectContaining({ kind }))
  })

  it('goes by the status when there is one', () => {
    expect(answered('{"error":{"code":"badvalue"}}', 429)).toThrow(expect.objectContaining({ kind: 'throttled' }))
  })
})
