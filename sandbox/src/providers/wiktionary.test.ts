import { describe, expect, it } from 'vitest'
import { askProvider } from './provider-testing.ts'
import { wiktionary } from './wiktionary.ts'

interface Entry {
  partOfSpeech: string
  language: string
  definitions: { definition: string; examples?: string[] }[]
}

const AGENT = { 'user-agent': 'Tester/1.0 (tester@example.org)' }
const ask = (term: string, headers: Record<string, string> = AGENT) =>
  askProvider<Record<string, Entry[]>>(wiktionary, { path: `/api/rest_v1/page/definition/${term}`, headers })

describe('Wiktionary in the sandbox', () => {
  it('200: languages, each a list of entries with HTML in them', () => {
    const { status, json } = ask('chat')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['en', 'fr'])
    expect(json['en']?.map(({ partOfSpeech }) => partOfSpeech)).toEqual(['Verb', 'Noun'])
    expect(json['fr']?.[0]).toEqual({
      partOfSpeech: 'Noun',
      language: 'French',
      definitions: [
        {
          definition: 'A cat.',
          parsedExamples: [{ example: 'Le <b>chat</b> dort.' }],
          examples: ['Le <b>chat</b> dort.'],
        },
      ],
    })
    expect(ask('chat').json['en']?.[0]?.definitions[0]?.definition).toContain('<a rel="mw:WikiLink"')
  })

  it('404: an unknown word, and one in the wrong case', () => {
    for (const term of ['zxqv', 'Serendipity', '%E0%A4%A']) expect(ask(term).status).toBe(404)
    expect(ask('serendipity').status).toBe(200)
    expect(ask('d%C3%A9paysement').status).toBe(200)
  })

  it('403: a client that does not identify itself', () => {
    expect(ask('chat', { 'user-agent': 'node' }).status).toBe(403)
  })
})
