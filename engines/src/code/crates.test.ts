import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { crates } from './crates.ts'

const { code } = crates.tabs

describe('crates', () => {
  it('asks for the newest first when there is a date', () => {
    expect(code?.request(QUERY, { baseUrl: '' }).path).toBe(
      '/api/v1/crates?q=oak%20tree&page=2&per_page=10&sort=recent-updates',
    )
    expect(code?.request(ANY, { baseUrl: '' }).path).toBe('/api/v1/crates?q=oak%20tree&page=1&per_page=10')
  })

  it('reads name, description, last release and links', () => {
    expect(code?.parse(readFixture('crates-code-page'), ANY).hits[0]).toEqual({
      title: 'oak_tree',
      url: 'https://crates.io/crates/oak_tree',
      description: 'Grows oaks & ashes',
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 1, 8),
      sitelinks: [
        { title: 'Documentation', url: 'https://docs.example/oak_tree' },
        { title: 'Repository', url: 'https://git.example/oak_tree' },
      ],
      software: { version: '1.0.0', downloads: 5 },
    })
  })
})
