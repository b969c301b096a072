import { describe, expect, it } from 'vitest'
import { factAnswer, readCardQuestion } from './card-question.ts'

describe('a question about a fact of a card', () => {
  it.each([
    ['eiffel tower height', 'eiffel tower', 'P2048'],
    ['how tall is the Eiffel Tower?', 'the Eiffel Tower', 'P2048'],
    ['height of mount everest', 'mount everest', 'P2048'],
    ['wie hoch ist der Eiffelturm', 'Eiffelturm', 'P2048'],
    ['hauteur de la tour Eiffel', 'tour Eiffel', 'P2048'],
    ['who wrote dune', 'dune', 'P50'],
    ['wer hat Der Prozess geschrieben', 'Der Prozess', 'P50'],
    ['qui a écrit Les Misérables', 'Les Misérables', 'P50'],
    ['who directed inception', 'inception', 'P57'],
    ['when was Ada Lovelace born', 'Ada Lovelace', 'P569'],
    ['where was ada lovelace born', 'ada lovelace', 'P19'],
    ['when did albert einstein die', 'albert einstein', 'P570'],
    ['when was the eiffel tower built', 'the eiffel tower', 'P571'],
    ['cuándo nació Frida Kahlo', 'Frida Kahlo', 'P569'],
    ['capital of peru', 'peru', 'P36'],
  ])('%s', (text, subject, property) => {
    expect(readCardQuestion(text)).toMatchObject({ subject, properties: expect.arrayContaining([property]) })
  })

  it.each([
    'height',
    'who wrote',
    'art director',
    'landscape architect',
    'world population',
    'age of empires',
    'born in the usa',
    'when was it',
    'director',
    'eiffel tower',
  ])('%s is none', (text) => {
    expect(readCardQuestion(text)).toBeUndefined()
  })

  const card = {
    title: 'Eiffel Tower',
    description: '',
    summary: '',
    url: 'https://en.wikipedia.org/wiki/Eiffel_Tower',
    lang: 'en',
    image: null,
    facts: [{ property: 'P2048', label: 'height', values: [{ text: '330 m', url: '' }] }],
    sources: [{ name: 'Wikidata', url: 'https://www.wikidata.org/wiki/Q243' }],
    attribution: { text: 'Wikipedia contributors', url: 'https://en.wikipedia.org/', licence: '', licence_url: '' },
  }

  it('is answered by that very fact, and by nothing else', () => {
    const asked = { subject: 'Eiffel Tower', properties: ['P2044', 'P2048'] }
    expect(factAnswer(asked, card, 'q')).toEqual({
      type: 'card_fact',
      query: 'q',
      text: 'Eiffel Tower, height: 330 m',
      attribution: { text: 'Wikidata', url: 'https://www.wikidata.org/wiki/Q243' },
    })
    expect(factAnswer({ ...asked, properties: ['P50'] }, card, 'q')).toBeUndefined()
    expect(factAnswer(asked, null, 'q')).toBeUndefined()
  })
})
