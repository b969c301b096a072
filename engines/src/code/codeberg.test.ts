import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { codeberg } from './codeberg.ts'

const { code } = codeberg.tabs

describe('codeberg', () => {
  it('asks for the newest first when there is a date', () => {
    expect(code?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/api/v1/repos/search?q=oak%20tree&page=2&limit=10&includeDesc=true&sort=updated&order=desc',
    )
    expect(code?.request(ANY, { baseUrl: '' }).path).not.toContain('sort')
  })

  it('reads name, description, last change and website', () => {
    expect(code?.parse(readFixture('codeberg-code-page'), ANY).hits[0]).toEqual({
      title: 'trees/oak',
      url: 'https://codeberg.example/trees/oak',
      description: 'Counts oaks & ashes',
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 1, 8),
      sitelinks: [{ title: 'Homepage', url: 'https://oak.example' }],
      software: { stars: 3 },
    })
  })

  it('drops results tagged as adult if safe is on', () => {
    const reply = readFixture('codeberg-code-page')
    expect(code?.parse(reply, ANY).hits).toHaveLength(4)
    expect(code?.parse(reply, { ...ANY, safe: true }).hits).toHaveLength(3)
  })

  it('that is not ok is an error with status 200', () => {
    const body = JSON.stringify({ ok: false, error: 'nope', data: [] })
    expect(() => code?.parse({ status: 200, headers: {}, body }, ANY)).toThrow(
      expect.objectContaining({ kind: 'rejected' }),
    )
  })
})
