import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { npm } from './npm.ts'

const { code } = npm.tabs

describe('npm', () => {
  it('asks as documented', () => {
    expect(code?.request(QUERY, { baseUrl: '' }).path).toBe('/-/v1/search?text=oak%20tree&size=10&from=10')
  })

  it('reads name, description, last release and links', () => {
    const { hits } = code?.parse(readFixture('npm-code-page'), ANY) ?? { hits: [] }
    expect(hits[0]).toEqual({
      title: 'oak-tree',
      url: 'https://www.npmjs.com/package/oak-tree',
      description: 'Draws oaks & ashes',
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 1, 8),
      sitelinks: [
        { title: 'Repository', url: 'https://git.example/oak-tree' },
        { title: 'Homepage', url: 'https://oak.example' },
      ],
      software: { version: '1.2.3' },
    })
    expect(hits[1]?.url).toBe('https://www.npmjs.com/package/@trees/ash')
  })

  it.each(['../../evil', '..', 'a b', '@x/../y', 'a?b', ''])('drops a package that is called %j', (name) => {
    const good = { package: { name: 'good', date: '2026-11-01T08:00:00.000Z' } }
    const body = JSON.stringify({ objects: [{ package: { name } }, good] })
    expect(code?.parse({ status: 200, headers: {}, body }, ANY).hits.map(({ title }) => title)).toEqual(['good'])
  })
})
