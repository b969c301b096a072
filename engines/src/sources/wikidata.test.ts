import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { wikidataItem, wikidataLabels } from './wikidata.ts'

const PROPERTIES = ['P2048', 'P571', 'P1082', 'P856', 'P1448', 'P84', 'P625', 'P40']
const asked = { query: { id: 'Q990001', properties: PROPERTIES }, now: 0 }
const askedLabels = { query: { ids: ['Q90', 'P17', 'Q7'], lang: 'fr' }, now: 0 }
const reply = (body: unknown, status = 200) => ({
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const bare = (value: object) => ({ value, pointInTime: '', hasEnded: false })

describe('wikidata items', () => {
  it('asks for statements', () => {
    expect(wikidataItem.request(asked.query, { baseUrl: '' }).path).toBe(
      '/w/api.php?action=wbgetentities&format=json&formatversion=2&ids=Q990001&props=claims',
    )
  })

  it('reads every type of value, only the best rank, and only the requested properties', () => {
    const found = wikidataItem.parse(readFixture('wikidata-item', 'sources'), asked)
    expect(found).toEqual({
      id: 'Q990001',
      kinds: ['Q12518'],
      statements: {
        P2048: [bare({ type: 'quantity', amount: '+330.25', unit: 'Q11573' })],
        P571: [bare({ type: 'time', time: '+1887-01-00T00:00:00Z', precision: 10 })],
        P1082: [
          {
            value: { type: 'quantity', amount: '+12', unit: '' },
            pointInTime: '+2020-01-01T00:00:00Z',
            hasEnded: true,
          },
        ],
        P856: [bare({ type: 'text', text: 'https://tower.example/' })],
        P1448: [bare({ type: 'text', text: 'Tour & verre' })],
      },
    })
    expect(wikidataItem.schema.parse(found)).toEqual(found)
  })

  it('a thing that is not there is an answer', () => {
    const missing = { entities: { Q990001: { id: 'Q990001', missing: '' } }, success: 1 }
    expect(wikidataItem.parse(reply(missing), asked)).toBeNull()
  })

  it('statements of a wrong type are none', () => {
    const entities = { Q990001: { id: 'Q990001', claims: 'not a record' } }
    expect(wikidataItem.parse(reply({ entities }), asked)).toEqual({ id: 'Q990001', kinds: [], statements: {} })
  })

  it.each([
    { amount: '+1e400', unit: '1' },
    { amount: 12, unit: '1' },
    { amount: `+${'9'.repeat(60)}`, unit: '1' },
  ])('drops an amount that is no decimal number: %o', (value) => {
    const claim = { mainsnak: { datavalue: { type: 'quantity', value } }, rank: 'normal' }
    const entities = { Q990001: { id: 'Q990001', claims: { P2048: [claim] } } }
    expect(wikidataItem.parse(reply({ entities }), asked)?.statements).toEqual({})
  })
})

describe('wikidata labels', () => {
  it('requests all labels in one call, in the requested language and in English', () => {
    expect(wikidataLabels.request(askedLabels.query, { baseUrl: '' }).path).toContain(
      '&ids=Q90%7CP17%7CQ7&props=labels&languages=fr%7Cen&languagefallback=1',
    )
    expect(wikidataLabels.request({ ids: ['Q90'], lang: 'en' }, { baseUrl: '' }).path).toContain('&languages=en&')
  })

  it('gives labels by id; those without one are left out', () => {
    const label = (language: string, value: string) => ({ labels: { [language]: { language, value } } })
    const entities = {
      Q90: { id: 'Q90', ...label('fr', 'Paris') },
      P17: { id: 'P17', ...label('en', 'country') },
      Q7: { id: 'Q7', missing: '' },
    }
    expect(wikidataLabels.parse(reply({ entities }), askedLabels)).toEqual({ Q90: 'Paris', P17: 'country' })
  })
})

describe('unusable replies', () => {
  const both = (body: unknown, status?: number) => [
    () => wikidataItem.parse(reply(body, status), asked),
    () => wikidataLabels.parse(reply(body, status), askedLabels),
  ]

  it.each([
    ['no-such-entity', 'rejected', true],
    ['maxlag', 'unreachable', false],
    ['ratelimited', 'throttled', false],
    ['unknown_thing', 'rejected', false],
  ])('status 200 with the error %s is %s', (code, kind, isQueryFault) => {
    for (const parse of both({ error: { code, info: 'canary' } })) {
      expect(parse).toThrow(expect.objectContaining({ kind, isQueryFault }))
    }
  })

  it.each([
    ['a web page', '<html>'],
    ['nothing', ''],
    ['half a reply', '{"entities":{"Q990001":{"id"'],
    ['an empty object', {}],
    ['entities of a wrong type', { entities: [7] }],
    ['entities without ids', { entities: { Q990001: { id: 7 } } }],
  ])('malformed: %s', (_what, body) => {
    for (const parse of both(body)) expect(parse).toThrow(expect.objectContaining({ kind: 'malformed' }))
  })

  it.each([
    [429, 'throttled'],
    [500, 'unreachable'],
  ])('status %i is %s', (status, kind) => {
    for (const parse of both({}, status)) expect(parse).toThrow(expect.objectContaining({ kind }))
  })
})
