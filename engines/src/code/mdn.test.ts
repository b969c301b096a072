import { describe, expect, it } from 'vitest'
import { ANY, QUERY } from '../../test/engine-query.ts'
import { readFixture } from '../../test/read-fixture.ts'
import { mdn } from './mdn.ts'

const { code } = mdn.tabs

describe('mdn', () => {
  it.each([
    ['de-AT', '&locale=de'],
    ['en', '&locale=en-US'],
    ['pt', '&locale=pt-BR'],
    ['zh-Hant-TW', '&locale=zh-TW'],
    ['zh', '&locale=zh-CN'],
    ['', ''],
  ])('asks in the language %s', (lang, locale) => {
    expect(code?.request({ ...QUERY, lang }, { baseUrl: '' }).path).toBe(
      `/api/v1/search?q=oak%20tree${locale}&page=2&size=10`,
    )
  })

  it('reads pages of the documentation, and a better spelling', () => {
    expect(code?.parse(readFixture('mdn-code-page'), ANY)).toMatchObject({
      correction: 'flex',
      hits: [
        {
          title: 'Array.prototype.flat()',
          url: 'https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Array/flat',
          description: 'The flat() method makes a new array & fills it.',
        },
        { url: 'https://developer.mozilla.org/en-US/docs/Web/CSS/:hover' },
        { url: 'https://developer.mozilla.org/en-US/docs/Web/HTML' },
      ],
    })
  })

  it.each(['//evil.example/docs/x', '/en-US/blog/x', 'https://evil.example/', '/en-US/docs/a b'])(
    'drops a page at %s',
    (path) => {
      const documents = [{ mdn_url: path }, { mdn_url: '/en-US/docs/Web' }]
      const reply = { status: 200, headers: {}, body: JSON.stringify({ documents }) }
      expect(code?.parse(reply, ANY).hits).toHaveLength(1)
    },
  )
})
