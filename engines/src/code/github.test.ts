import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { github, githubfree } from './github.ts'

const { code } = github.tabs

describe('github', () => {
  it('asks with a token in its header, and for what was pushed since', () => {
    expect(code?.request(QUERY, { baseUrl: '', apiKey: 'key' })).toEqual({
      path: '/search/repositories?q=oak%20tree%20pushed%3A%3E%3D2026-11-08&per_page=10&page=2',
      headers: { accept: 'application/vnd.github+json', authorization: 'Bearer key' },
    })
    expect(githubfree.tabs.code?.request(ANY, { baseUrl: '' })).toEqual({
      path: '/search/repositories?q=oak%20tree&per_page=10&page=1',
      headers: { accept: 'application/vnd.github+json' },
    })
  })

  it('reads name, description, last push and homepage', () => {
    expect(code?.parse(readFixture('github-code-page'), ANY).hits[0]).toEqual({
      title: 'example/heatpump',
      url: 'https://github.example/example/heatpump',
      description: 'Control a heat pump & see what it does',
      faviconUrl: '',
      publishedAt: Date.UTC(2026, 10, 10, 10),
      sitelinks: [{ title: 'Homepage', url: 'https://heatpump.example' }],
      software: { stars: 120, language: 'Rust', licence: 'MIT' },
    })
  })

  it('drops results tagged as adult if safe is on', () => {
    const titles = (safe: boolean) =>
      code?.parse(readFixture('github-code-page'), { ...ANY, safe }).hits.map(({ title }) => title)
    expect(titles(false)).toContain('someone/adults')
    expect(titles(true)).not.toContain('someone/adults')
    expect(titles(true)).toHaveLength(3)
  })

  it('waits for the end of the window when it is used up', () => {
    expect(() => code?.parse(readFixture('github-code-refusal'), { ...ANY, now: 1_794_657_600_000 })).toThrow(
      expect.objectContaining({ kind: 'throttled', retryAfterSeconds: 60 }),
    )
  })
})
