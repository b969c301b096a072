import { expect, it } from 'vitest'
import { createCorpus } from './corpus.ts'
import { languageOfQuery } from './languages.ts'

it.each([
  ['wie funktioniert eine wärmepumpe', 'de'],
  ['comment fonctionne une pompe à chaleur', 'fr'],
  ['cómo funciona una bomba de calor', 'es'],
  ['come funziona una pompa di calore', 'it'],
  ['como funciona uma bomba de calor', 'pt'],
  ['hoe werkt een warmtepomp', 'nl'],
  ['jak działa pompa ciepła', 'pl'],
  ['ヒートポンプの仕組み', 'ja'],
])('%s is in %s', (query, language) => {
  expect(languageOfQuery(query)).toBe(language)
})

it.each(['climate', 'how does a heat pump work', 'die hard', 'come as you are', 'el niño', 'constructor', '日本', ''])(
  '%s is answered in English',
  (query) => {
    expect(languageOfQuery(query)).toBeUndefined()
  },
)

it('a query finds pages in its language', () => {
  const corpus = createCorpus('seed')
  const search = {
    engine: 'brave',
    text: 'Wie funktioniert eine Wärmepumpe',
    start: 0,
    count: 10,
    now: 0,
    hidesAdult: true,
  }
  const titles = corpus.search(search).hits.map(({ title }) => title)
  expect(titles).toHaveLength(10)
  for (const title of titles) expect(title).toMatch(/was Sie|Fünf Fragen|Alles über|Warum|Ein Blick/)
  expect(corpus.news(search).hits[0]?.sentences[0]).toMatch(/Artikel|Fachleute|Zahlen/)
})
