import { describe, expect, it } from 'vitest'
import { openlibrary } from './openlibrary.ts'
import { askProvider } from './provider-testing.ts'
import { stackexchange } from './stackexchange.ts'

describe('Open Library in the sandbox', () => {
  interface Reply {
    numFound: number
    docs: { key: string; title: string; author_name: string[]; edition_count: number; language: string[] }[]
  }
  const ask = (query: Record<string, string>) => askProvider<Reply>(openlibrary, { path: '/search.json', query })

  it('200: books by title and author, the better known first', () => {
    expect(ask({ q: 'dune frank herbert' }).json.docs.map(({ title }) => title)).toEqual(['Dune', 'Dune Messiah'])
    expect(ask({ q: 'garcia marquez' }).json.docs[0]).toMatchObject({ title: 'Cien años de soledad' })
  })

  it('sends only the requested fields', () => {
    expect(ask({ q: 'hobbit', fields: 'key,title,cover_i' }).json.docs).toEqual([
      { key: expect.stringMatching(/^\/works\/OL\d+W$/), title: 'The Hobbit', cover_i: expect.any(Number) },
    ])
  })

  it('finds an ISBN, and nothing for syntax it does not understand', () => {
    expect(ask({ q: 'isbn:9781000030013' }).json.docs[0]).toMatchObject({ title: 'Dune' })
    for (const q of ['isbn:9780000000000', 'title:dune', 'zxqv', '']) expect(ask({ q }).json.numFound).toBe(0)
  })

  it('422: a limit that is not a number', () => {
    expect(ask({ q: 'dune', limit: 'x' }).status).toBe(422)
  })
})

describe('Stack Exchange in the sandbox', () => {
  interface Reply {
    items: { title: string; question_id: number; body?: string; is_accepted?: boolean }[]
    quota_max: number
    error_id?: number
    error_name?: string
  }
  const ask = (query: Record<string, string>, path = '/2.3/search/advanced') =>
    askProvider<Reply>(stackexchange, { path, query: { site: 'stackoverflow', ...query } })

  it('200: questions with encoded titles, the best match first, bodies only on request', () => {
    const { json } = ask({ q: 'reverse a list in python' })
    expect(json.items[0]).toMatchObject({
      title: 'How do I reverse a list in Python?',
      is_answered: true,
      link: 'https://stackoverflow.example/questions/100201/how-do-i-reverse-a-list-in-python',
    })
    expect(json.items[0]).not.toHaveProperty('body')
    expect(json.quota_max).toBe(300)
    expect(ask({ q: 'reverse a list in python', filter: 'withbody' }).json.items[0]?.body).toMatch(/^<p>/)
  })

  it('200: answers as HTML, by votes, so that the accepted one need not be the first', () => {
    const { json } = ask({ filter: 'withbody', sort: 'votes' }, '/2.3/questions/100411/answers')
    expect(json.items.map((item) => item.is_accepted)).toEqual([false, true])
    expect(json.items[1]?.body).toContain('<pre class="lang-none"><code>const unique')
    expect(json.items[1]?.body).toContain('&lt; values.length')
  })

  it('a key raises the quota, and a wrong one is refused', () => {
    expect(ask({ q: 'git', key: stackexchange.key }).json.quota_max).toBe(10_000)
    expect(ask({ q: 'git', key: 'wrong' })).toMatchObject({ status: 400, json: { error_name: 'bad_parameter' } })
  })

  it.each([{ site: 'nowhere' }, { q: '' }, { q: 'git', pagesize: '101' }, { q: 'git', sort: 'x' }] as Record<
    string,
    string
  >[])('400: %o', (query) => {
    expect(ask(query)).toMatchObject({ status: 400, json: { error_id: 400 } })
  })

  it('says "slow down" with status 400', () => {
    expect(stackexchange.throttled(0, 7)).toMatchObject({ status: 400, json: { error_id: 502 } })
  })
})
