import type { Answers } from '@bowerbird/answers/answers.ts'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../rules/compile-rules.ts'
import { Caller } from '../search/caller.ts'
import type { CardsAnswer } from './cards.ts'
import { createInstantAnswers } from './instant-answers.ts'
import { withoutBlockedSites } from './ruled-cards.ts'

const blocking = (...patterns: string[]) => {
  const rules = patterns.map((pattern) => ({ pattern, action: 'block' as const }))
  return compileRules([{ owner: 'key', rules }])
}
const card = {
  title: 'Oak',
  url: 'https://wiki.example/Oak',
  picture: { url: 'https://pictures.example/1.jpg', page_url: 'https://wiki.example/File:1' },
  cover_url: 'https://covers.example/1.jpg',
  facts: [
    { label: 'Site', value: 'Oaks', url: 'https://oaks.example/' },
    { label: 'Height', value: '20 m' },
  ],
  attribution: { text: 'Writers', url: 'https://wiki.example/Oak', licence: 'CC0', licence_url: 'https://cc.example/' },
}
const answer: CardsAnswer = { cards: { wikipedia: card, book: null }, reports: [], status: 'complete' }
const cardUnder = async (...patterns: string[]) =>
  withoutBlockedSites(answer, await blocking(...patterns)).cards['wikipedia']

describe('cards under rules', () => {
  it('are as they were if none of their sites is blocked', async () => {
    expect(await cardUnder('other.example')).toEqual(card)
    expect(withoutBlockedSites(answer, undefined)).toBe(answer)
  })

  it.each(['wiki.example', 'cc.example'])('are left out if they come from %s, which is blocked', async (site) => {
    expect(await cardUnder(site)).toBeNull()
  })

  it('lose pictures, entries and links of blocked sites', async () => {
    expect(await cardUnder('pictures.example', 'covers.example', 'oaks.example')).toEqual({
      ...card,
      picture: null,
      cover_url: '',
      facts: [{ label: 'Height', value: '20 m' }],
    })
  })
})

it('an instant answer from a blocked source is none', async () => {
  const attribution = { text: 'Writers', url: 'https://wiki.example/oak' }
  const given = {
    answer: { type: 'definition', query: 'oak', text: 'A tree.', attribution },
    isPersonal: false,
    usesZone: false,
  }
  const answers = { answer: async () => given } as unknown as Answers // nothing else is used
  const ask = (site: string) =>
    createInstantAnswers(answers).answer(new Caller({ findRules: () => blocking(site) }), {
      text: 'oak',
      lang: '',
      client: { ip: '' },
    })
  expect(await ask('other.example')).toBe(given)
  expect(await ask('wiki.example')).toBeNull()
})
