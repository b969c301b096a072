import { describe, expect, it } from 'vitest'
import { Refusal } from '../../errors.ts'
import { setUpApi } from '../api.test-harness.ts'

const stage = setUpApi()
const REQUIRED = ['This parameter is required.']

const ways = {
  GET: (params: Record<string, string>) => stage.get(`/api/v1/translate/?${new URLSearchParams(params).toString()}`),
  POST: (params: Record<string, string>) =>
    stage.get('/api/v1/translate/', {
      method: 'POST',
      body: JSON.stringify(params),
      headers: { 'content-type': 'application/json' },
    }),
}

describe.each(Object.entries(ways))('translation by %s', (_method, translate) => {
  it('200: takes the text as q or as text, including white space', async () => {
    await translate({ q: ' Hello\n', target: ' fr ' })
    await translate({ text: 'Hello', target: 'fr', source: 'en' })
    await translate({ q: ' ', text: 'Hello', target: 'fr', source: '' })
    await translate({ q: 'Hello', text: 'Hello', target: 'fr', source: ' en ' })
    expect(stage.asked.map(([, request]) => request)).toEqual([
      { text: ' Hello\n', textParameter: 'q', source: 'auto', target: 'fr' },
      { text: 'Hello', textParameter: 'text', source: 'en', target: 'fr' },
      { text: 'Hello', textParameter: 'text', source: 'auto', target: 'fr' },
      { text: 'Hello', textParameter: 'q', source: 'en', target: 'fr' },
    ])
  })

  it.each([
    ['nothing at all', {}, { q: REQUIRED, target: REQUIRED }],
    ['no text', { target: 'fr' }, { q: REQUIRED }],
    ['a blank text', { q: ' \n', text: '', target: 'fr' }, { q: REQUIRED }],
    ['no target', { q: 'Hello' }, { target: REQUIRED }],
    ['a blank target', { q: 'Hello', target: ' ' }, { target: REQUIRED }],
    ['two texts', { q: 'Hello', text: 'Bye', target: 'fr' }, { text: ['Send the text as q or as text, not both.'] }],
    ['a long q', { q: 'x'.repeat(101), target: 'fr' }, { q: ['Send at most 100 characters.'] }],
    ['a long text', { text: 'x'.repeat(101), target: 'fr' }, { text: ['Send at most 100 characters.'] }],
    ['two mistakes', { q: 'x'.repeat(101) }, { q: ['Send at most 100 characters.'], target: REQUIRED }],
  ])('400: %s', async (_, params, messages) => {
    const { status, json } = await translate(params)
    expect({ status, json }).toEqual({ status: 400, json: messages })
    expect(stage.asked).toEqual([])
  })

  it('400: a language that the backend does not have, in the words of the service, not counted', async () => {
    stage.says.translate = () => Promise.reject(new Refusal('parameter_invalid', { target: ['Unknown language.'] }))
    const { status, json } = await translate({ q: 'Hello', target: 'xx' })
    expect({ status, json }).toEqual({ status: 400, json: { target: ['Unknown language.'] } })
    expect(stage.counted).toEqual([])
  })
})
