import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { createTranslate } from '../../translate/translate.ts'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { exportPreferences, preferencesOf } from '../preferences.ts'
import { ADMIN, type Browser, openSiteStage, type SiteStage } from '../site.test-harness.ts'
import { translatePages } from './translate-page.ts'

const LIBRE: Sayings = {
  'libretranslate languages': [
    { code: 'en', name: 'English', targets: ['en', 'fr'] },
    { code: 'fr', name: 'French', targets: ['en'] },
    { code: 'zt', name: 'Chinese (traditional)', targets: ['en'] },
  ],
  'libretranslate longest text': null,
  'libretranslate translation': { text: 'bonjour', detected: 'en' },
}

interface Opened extends SiteStage {
  visitor: Browser
  searchQuery: unknown[]
}

async function open(sayings: Sayings = LIBRE, rest: { isPublic?: boolean } = {}): Promise<Opened> {
  const searchQuery: unknown[] = []
  const find = playedSources(sayings, searchQuery)
  const translate = createTranslate({ find, maxCharacters: 20, startDeadline: () => createDeadline(500) })
  const stage = await openSiteStage({ translate, ...rest }, translatePages)
  return { ...stage, visitor: stage.browser(), searchQuery }
}

const send = (browser: Browser, fields: Record<string, string>) =>
  browser.submit('/translate', { text: 'hello', source: 'auto', target: 'fr', ...fields })

const noAnswer = new UpstreamError('timeout', 'no reply in time')

it('remembers the languages of the last translation', async () => {
  const { visitor } = await open()
  await send(visitor, { source: 'fr', target: 'en' })
  const { body } = await visitor.get('/translate')
  expect(body).toMatch(/name="source"[\s\S]*<option value="fr" selected>[\s\S]*name="target"[\s\S]*value="en" selected/)
  const asked = await visitor.get('/translate?source=en&target=fr')
  expect(asked.body).toMatch(/name="source"[\s\S]*<option value="en" selected>[\s\S]*name="target"/)
})

it('forgets a language that is no longer offered, and does not remember a failure', async () => {
  const { visitor } = await open()
  await send(visitor, { source: 'en', target: 'nowhere' })
  expect((await visitor.get('/translate')).body).toContain('<option value="auto" selected>')
  const translation = { source: 'xx', target: 'yy' }
  visitor.cookies.set('bowerbird_preferences', exportPreferences({ ...preferencesOf(undefined), translation }))
  expect((await visitor.get('/translate')).body).toContain('<option value="auto" selected>')
})

describe('swapping the languages', () => {
  it('translates the translation back, into the language that was detected', async () => {
    const { visitor, searchQuery } = await open()
    const { body } = await send(visitor, { swap: 'on', translated: 'bonjour', detected: 'en' })
    expect(searchQuery.at(-1)).toMatchObject({ text: 'bonjour', source: 'fr', target: 'en' })
    expect(body).toContain('>\nbonjour</textarea>')
    expect(body).toMatch(
      /name="source"[\s\S]*<option value="fr" selected>[\s\S]*name="target"[\s\S]*<option value="en" selected>/,
    )
  })

  it('works before there is a text', async () => {
    const { visitor } = await open()
    const reply = await send(visitor, { text: '', source: 'fr', target: 'en', swap: 'on' })
    expect(reply.status).toBe(200)
    expect(reply.body).not.toContain('aria-invalid')
    expect(reply.body).toMatch(/name="source"[\s\S]*<option value="en" selected>[\s\S]*name="target"/)
  })
})

describe('GET /translate', () => {
  it('offers the languages of the backend by name, and to detect the source', async () => {
    const { visitor } = await open()
    const { body, status } = await visitor.get('/translate')
    expect(status).toBe(200)
    expect(body).toContain('<option value="auto" selected>Detect language</option>')
    expect(body).toContain('<option value="fr">French</option>')
    expect(body).toContain('<option value="zt">Chinese (traditional)</option>')
    expect(body).toContain('maxlength="20"')
  })

  it('names languages in the reader’s language, and translates into it by default', async () => {
    const { visitor } = await open()
    visitor.cookies.set(
      'bowerbird_preferences',
      exportPreferences({ ...preferencesOf(undefined), interfaceLocale: 'fr' }),
    )
    const { body } = await visitor.get('/translate')
    expect(body).toContain('<option value="en">Anglais</option>')
    expect(body).toContain('<option value="fr" selected>Français</option>')
  })

  it('takes over the query, without translating it yet', async () => {
    const { visitor, searchQuery } = await open()
    const { body } = await visitor.get('/translate?q=%3Cb%3Ehi%3C/b%3E&source=en&target=fr')
    expect(body).toContain('>\n&lt;b&gt;hi&lt;/b&gt;</textarea>')
    expect(body).toContain('<option value="fr" selected>French</option>')
    expect(searchQuery).toEqual([null, null])
  })

  it('503: the backend doesn’t answer, with when to try again', async () => {
    const { visitor } = await open({ ...LIBRE, 'libretranslate languages': noAnswer })
    const { status, body, headers } = await visitor.get('/translate?q=hi')
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(body).toContain('The translation service did not respond')
    expect(body).toContain('Try again in 5 seconds.')
  })

  it('503: not set up, with instructions for administrators', async () => {
    const { visitor, browser } = await open({})
    const reply = await visitor.get('/translate')
    expect(reply.status).toBe(503)
    expect(reply.body).toContain('Translation is not set up on this site')
    expect(reply.body).not.toContain('LIBRETRANSLATE_URL')
    const { body } = await browser(ADMIN).get('/translate')
    expect(body).toContain('LIBRETRANSLATE_URL')
    expect(body).not.toContain('restart')
  })
})

describe('POST /translate', () => {
  it('shows the translation and the detected language, and keeps the form', async () => {
    const { visitor, searchQuery } = await open()
    const { status, body } = await send(visitor, {})
    expect(status).toBe(200)
    expect(body).toContain('<p class="translated" lang="fr" dir="auto">bonjour</p>')
    expect(body).toContain('Detected language: English')
    expect(body).toContain('data-copy="bonjour"')
    expect(body).toContain('>\nhello</textarea>')
    expect(body).toContain('<option value="fr" selected>French</option>')
    expect(searchQuery).toContainEqual(expect.objectContaining({ text: 'hello', source: 'auto', target: 'fr' }))
  })

  it('a translation is text and nothing else', async () => {
    const translation = { text: '<script>x</script>"', detected: '<i>' }
    const { visitor } = await open({ ...LIBRE, 'libretranslate translation': translation })
    const { body } = await send(visitor, {})
    expect(body).toContain('&lt;script&gt;x&lt;/script&gt;&quot;')
    expect(body).toContain('Detected language: &lt;i&gt;')
    expect(body).not.toContain('<script>x')
  })

  it('a line break counts as one character, however the browser sends it', async () => {
    const { visitor, searchQuery } = await open()
    const { status } = await send(visitor, { text: 'a\r\n'.repeat(10) })
    expect(status).toBe(200)
    expect(searchQuery).toContainEqual(expect.objectContaining({ text: 'a\n'.repeat(10) }))
  })

  it.each([
    ['nothing to translate', { text: ' \n ' }, 'Enter some text to translate.'],
    ['too long a text', { text: 'a'.repeat(21) }, 'Shorten it to 20 characters or fewer.'],
    ['a target that is not offered', { target: 'xx' }, 'Translation between these two languages is not available.'],
    ['a target that the source has not got', { source: 'fr', target: 'zt' }, 'Translation between these two languages'],
    ['a source that is not offered', { source: 'xx' }, 'This language is not available.'],
  ])('400: %s is shown beside its field, and the text is kept', async (_name, fields, message) => {
    const { visitor } = await open()
    const { status, body } = await send(visitor, fields)
    expect(status).toBe(400)
    expect(body).toContain(message)
    expect(body).toContain('aria-invalid="true"')
    expect(body).not.toContain('class="translated"')
  })

  it('400: a text that the backend finds too long', async () => {
    const { visitor } = await open({ ...LIBRE, 'libretranslate longest text': 3 })
    const { status, body } = await send(visitor, {})
    expect(status).toBe(400)
    expect(body).toContain('Translate it in parts.')
  })

  it('503: the form is kept if the backend fails', async () => {
    const down = { ...LIBRE, 'libretranslate translation': noAnswer }
    const { visitor } = await open(down)
    const { status, body, headers } = await send(visitor, { text: 'dear friend' })
    expect(status).toBe(503)
    expect(headers['retry-after']).toBe('5')
    expect(body).toContain('The translation service did not respond. Try again in 5 seconds.')
    expect(body).toContain('>\ndear friend</textarea>')
  })

  it('503: the form is kept even if the languages are unavailable', async () => {
    let isUp = true
    const languages = () => (isUp ? LIBRE['libretranslate languages'] : noAnswer)
    const { visitor } = await open({ ...LIBRE, 'libretranslate languages': languages })
    const token = await visitor.token('/translate')
    isUp = false
    const { status, body } = await visitor.post('/translate', {
      _csrf: token,
      text: 'dear',
      source: 'en',
      target: 'fr',
    })
    expect(status).toBe(503)
    expect(body).toContain('>\ndear</textarea>')
    expect(body).toContain('<option value="fr" selected>')
  })

  it('a long text is not passed to the other tabs', async () => {
    const sentence = 'word '.repeat(200)
    const translate = createTranslate({
      find: playedSources(LIBRE),
      maxCharacters: 5_000,
      startDeadline: () => createDeadline(500),
    })
    const stage = await openSiteStage({ translate }, translatePages)
    const { body } = await send(stage.browser(), { text: sentence })
    expect(body).toContain('<a href="/search">')
  })
})
