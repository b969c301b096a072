import { describe, expect, it } from 'vitest'
import { stageCard } from './card.test-harness.ts'
import { dictionaryCard } from './dictionary-card.ts'

const entry = (lang: string, partOfSpeech: string, ...definitions: string[]) => ({
  lang,
  language: lang,
  partOfSpeech,
  senses: definitions.map((definition) => ({ definition, examples: [] })),
})
const ask = async (text: string, definitions: unknown, { lang = '', safe = true } = {}) => {
  const { context, asked } = stageCard({ text, lang, safe, says: { definitions } })
  return { body: await dictionaryCard.ask(context), words: asked.map(({ query }) => (query as { word: string }).word) }
}
const NOUN = [entry('en', 'Noun', 'A smell.')]

describe('the dictionary card', () => {
  it.each([
    ['petrichor', '', ['petrichor']],
    ['define petrichor', '', ['petrichor']],
    ['Define Petrichor', '', ['Petrichor']],
    ['what does petrichor mean?', '', ['petrichor']],
    ['petrichor meaning', '', ['petrichor']],
    ['meaning of “petrichor”', '', ['petrichor']],
    ['définition de dépaysement', 'fr', ['dépaysement']],
    ['was bedeutet Schadenfreude', 'de', ['Schadenfreude']],
    ['qué significa casa', 'es', ['casa']],
    ['significato casa', 'it', []],
    ['casa significato', 'it', ['casa']],
    ['o que significa saudade', 'pt', ['saudade']],
    ['wat betekent gezellig', 'nl', ['gezellig']],
  ])('looks up what %s asks about', async (text, lang, words) => {
    const own = [entry(lang || 'en', 'Noun', 'A thing.')]
    expect((await ask(text, own, { lang })).words).toEqual(words)
  })

  it.each(['Petrichor', 'PETRICHOR', 'two words', 'of', 'x2', 'meaning of life and death', 'c++', "'", '---'])(
    'looks up nothing for %j',
    async (text) => {
      expect((await ask(text, NOUN)).words).toEqual([])
    },
  )

  it('a bare word must be a common word of the language', async () => {
    expect((await ask('petrichor', NOUN)).body?.word).toBe('petrichor')
    expect((await ask('paris', [entry('en', 'Proper noun', 'A city.')])).body).toBeNull()
    expect((await ask('casa', [entry('es', 'Noun', 'A house.')])).body).toBeNull()
    expect((await ask('casa', [entry('es', 'Noun', 'A house.')], { lang: 'es' })).body).toMatchObject({ lang: 'es' })
  })

  it('a word in a question may be of any language', async () => {
    const entries = [entry('pt', 'Noun', 'A longing.'), entry('es', 'Noun', 'Another.')]
    expect((await ask('define saudade', entries)).body).toMatchObject({ lang: 'pt', entries: [{}] })
    expect((await ask('define paris', [entry('en', 'Proper noun', 'A city.')])).body?.word).toBe('paris')
  })

  it('German nouns are also looked up capitalised', async () => {
    const { context, asked } = stageCard({ text: 'haus', lang: 'de', says: { definitions: [] } })
    await dictionaryCard.ask(context)
    expect(asked.map(({ query }) => query)).toEqual([{ word: 'haus' }, { word: 'Haus' }])
  })

  it('a word in a question is also looked up in lower case', async () => {
    const { words } = await ask('define Petrichor', [])
    expect(words).toEqual(['Petrichor', 'petrichor'])
  })

  it('safe: senses marked as vulgar or offensive are left out', async () => {
    const entries = [
      entry('en', 'Noun', '(vulgar, slang) Something rude.', 'An animal (not vulgar).'),
      entry('en', 'Verb', '(offensive) To be rude.'),
    ]
    const shown = (await ask('beast', entries)).body?.entries
    expect(shown).toEqual([
      { part_of_speech: 'Noun', senses: [{ definition: 'An animal (not vulgar).', examples: [] }] },
    ])
    expect((await ask('beast', entries, { safe: false })).body?.entries).toHaveLength(2)
  })
})
