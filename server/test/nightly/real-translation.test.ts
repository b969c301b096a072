// An operator installs a real translator, Apertium, and configures the instance to use it. English goes in, Spanish
// comes out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isApertiumInstalled, type RealApertium, startRealApertium } from '../support/real-apertium.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const isInstalled = isApertiumInstalled()
let apertium: RealApertium
let server: TestInstance
beforeAll(async () => {
  if (!isInstalled) return
  apertium = await startRealApertium()
  server = await startTestInstance({ LIBRETRANSLATE_URL: '', APERTIUM_URL: apertium.url, PROBE_SECONDS: '1' })
})
afterAll(async () => {
  await server?.close()
  await apertium?.stop()
})

const translate = (fields: Record<string, string>) =>
  server.api.get('/api/v1/translate/', { method: 'POST', headers: FORM, body: new URLSearchParams(fields).toString() })

describe.skipIf(!isInstalled)('with a real Apertium server', () => {
  it('languages/ lists its languages under standard codes', async () => {
    const { json } = await server.api.get('/api/v1/translate/languages/')
    expect(json).toEqual({
      languages: expect.arrayContaining([
        { code: 'en', name: 'English' },
        { code: 'es', name: 'Spanish' },
      ]),
    })
    for (const { code } of json.languages) expect(code).toMatch(/^[a-z]{2,3}(-[A-Z][a-z]{3})?$/)
  })

  it('English is translated into Spanish, and Spanish into English', async () => {
    const { status, json } = await translate({ q: 'The house is red.', source: 'en', target: 'es' })
    expect(status).toBe(200)
    expect(json).toEqual({ source: 'en', target: 'es', translated_text: 'La casa es roja.', detected_lang: '' })
    const back = await translate({ q: 'El perro come carne.', source: 'spa', target: 'eng' })
    expect(back.json).toMatchObject({ source: 'es', target: 'en' })
    expect(back.json.translated_text).toMatch(/^The dog eats/)
  })

  it('it detects the language when none is given', async () => {
    const { json } = await translate({ q: 'I like to read books in the morning.', target: 'es' })
    expect(json).toMatchObject({ source: 'auto', target: 'es', detected_lang: 'en' })
    expect(json.translated_text).toMatch(/libros/)
    const word = await server.api.get('/api/v1/translate/?q=hello&target=es')
    expect(word.json).toMatchObject({ detected_lang: 'en', translated_text: 'hola' })
  })

  it('its markers are removed, and lines, addresses and symbols are kept', async () => {
    const text = 'Where is the train station?\n\nWrite to ada@example.com: 5 < 6 & <b>7</b>\twith a zxqwv device.'
    const { json } = await translate({ q: text, source: 'en', target: 'es' })
    expect(json.translated_text).not.toMatch(/[*#]/)
    for (const kept of ['\n\n', 'ada@example.com', '5 < 6 & <b>7</b>\t', 'zxqwv']) {
      expect(json.translated_text).toContain(kept)
    }
  })

  it('10,000 characters are translated completely', async () => {
    const q = 'The house is red. '.repeat(555).trim()
    const { json } = await translate({ q, source: 'en', target: 'es' })
    expect(json.translated_text.match(/casa es roja/g)).toHaveLength(555)
  })

  it('it is up, and down once it is stopped, and then translation is unavailable', async () => {
    const state = async () => {
      const { json } = await server.api.get('/api/v1/status/')
      return json.providers.find(({ slug }: { slug: string }) => slug === 'apertium')?.state
    }
    await expect.poll(state, { timeout: 8_000 }).toBe('up')
    await apertium.stop()
    const { status, json } = await translate({ q: 'The house is red.', source: 'en', target: 'es' })
    expect(status).toBe(503)
    expect(json).toEqual({ detail: 'Translation is unavailable or not configured on this deployment.' })
    await expect.poll(state, { timeout: 8_000 }).toBe('down')
  })
})
