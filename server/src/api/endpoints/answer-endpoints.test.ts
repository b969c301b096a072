// Instant answers, cards and suggestions.
import { describe, expect, it } from 'vitest'
import { ALL_CARDS } from '../../cards/all.ts'
import { Refusal } from '../../errors.ts'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const NO_CARDS = Object.fromEntries(ALL_CARDS.map(({ kind }) => [kind, null]))

describe.each(['instant', 'cards', 'suggest'])('%s', (name) => {
  it.each([
    ['', { q: ['This parameter is required.'] }],
    ['?q=+', { q: ['This parameter is required.'] }],
    [`?q=${'x'.repeat(501)}`, { q: ['Send at most 500 characters.'] }],
    ['?q=1&lang=english!', { lang: ['Send a language tag such as en, de or pt-BR.'] }],
    ['?q=1&q=2', { q: ['Send this parameter only once.'] }],
  ])('400: %s', async (query, messages) => {
    const { status, json } = await stage.get(`/api/v1/${name}/${query}`)
    expect({ status, json }).toEqual({ status: 400, json: messages })
    expect(stage.asked).toEqual([])
  })
})

describe('instant', () => {
  const answer = {
    type: 'base64',
    query: 'base64 encode hi',
    text: 'aGk=',
    direction: 'encode',
    variant: 'base64',
    input: 'hi',
    output: 'aGk=',
    bytes_hex: '6869',
  }

  it('200: passes on the text, the language and the client', async () => {
    await stage.get('/api/v1/instant/?q=+my+ip+&lang=de', { from: '192.0.2.7' })
    expect(stage.asked).toEqual([['answer', { text: 'my ip', lang: 'de', client: { ip: '192.0.2.7' } }]])
  })

  it.each([true, false])('200: is not cacheable, personal or not', async (isPersonal) => {
    stage.says.answer = async () => ({ answer, isPersonal, usesZone: false })
    expect((await stage.get('/api/v1/instant/?q=roll+a+die')).headers['cache-control']).toBe('private, no-store')
  })

  it('503: a source failed, so that null would be wrong', async () => {
    stage.says.answer = () =>
      Promise.reject(new Refusal('answer_failed', 'The source did not answer.', { 'Retry-After': '5' }))
    const { status, headers } = await stage.get('/api/v1/instant/?q=weather+in+paris')
    expect({ status, wait: headers['retry-after'], counted: stage.counted }).toEqual({
      status: 503,
      wait: '5',
      counted: [],
    })
  })
})

describe('cards', () => {
  it('200: passes on the text, the language and safe search', async () => {
    await stage.get('/api/v1/cards/?q=paris')
    await stage.get('/api/v1/cards/?q=paris&lang=fr&safe=off&engine=engine_a')
    expect(stage.asked).toEqual([
      ['cards', { text: 'paris', lang: '', safe: true }],
      ['cards', { text: 'paris', lang: 'fr', safe: false }],
    ])
  })

  it('200: reports the outcome of each kind', async () => {
    const report = { ms: 12, isLacking: false, isStale: false }
    stage.says.cards = async () => ({
      cards: NO_CARDS,
      reports: [
        { kind: 'wikipedia', outcome: 'none', ...report },
        { kind: 'map', outcome: 'timeout', ...report },
      ],
      status: 'partial',
    })
    const { headers } = await stage.get('/api/v1/cards/?q=paris')
    expect(headers['search-status']).toBe('partial')
    expect(headers['card-status']).toMatch(/^wikipedia;none.*, map;timeout;ms=12$/)
  })

  it('400: an unknown engine, although none is queried', async () => {
    const { status, json } = await stage.get('/api/v1/cards/?q=paris&engine=engine_x&safe=perhaps')
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        engine: ['Unknown engine. Use engine_a, engine_b, engine_c or all.'],
        safe: ['Send on or off.'],
      },
    })
  })
})

describe('suggest', () => {
  it('200: returns the suggestions of the service, in its order', async () => {
    stage.says.suggest = async () => ({ suggestions: ['climate change', 'climate zones'], status: 'partial' })
    const { json, headers } = await stage.get('/api/v1/suggest/?q=+clim+&lang=en')
    expect(json).toEqual({ query: 'clim', suggestions: ['climate change', 'climate zones'] })
    expect(headers['search-status']).toBe('partial')
    expect(stage.asked).toEqual([['suggest', { text: 'clim', lang: 'en' }]])
  })
})
