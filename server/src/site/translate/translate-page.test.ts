import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { createTranslate } from '../../translate/translate.ts'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { exportPreferences, preferencesOf } from '../preferences.ts'
import { ADMIN, expectPage, openSiteStage, type PageView } from '../site.test-harness.ts'
import { translatePages } from './translate-page.ts'

const LANGUAGES = 'libretranslate languages'
const TRANSLATION = 'libretranslate translation'
const LIBRE: Sayings = {
  [LANGUAGES]: [
    { code: 'en', name: 'English', targets: ['en', 'fr'] },
    { code: 'fr', name: 'French', targets: ['en'] },
    { code: 'zt', name: 'Chinese (traditional)', targets: ['en'] },
  ],
  'libretranslate longest text': null,
  [TRANSLATION]: { text: 'bonjour', detected: 'en' },
}
const noAnswer = new UpstreamError('timeout', 'no reply in time')

async function open(sayings: Sayings = LIBRE, maxCharacters = 20) {
  const asked: unknown[] = []
  const find = playedSources(sayings, asked)
  const translate = createTranslate({ find, maxCharacters, startDeadline: () => createDeadline(500) })
  const { browser } = await openSiteStage({ translate }, translatePages)
  const visitor = browser()
  const send = (fields: Record<string, string> = {}) =>
    visitor.submit('/translate', { text: 'hello', source: 'auto', target: 'fr', ...fields })
  return { visitor, send, asked, admin: browser(ADMIN) }
}

/** The form with these languages chosen. */
const chosen = (source: string, target: string) =>
  new RegExp(
    `name="source"[\\s\\S]*<option value="${source}" selected>[\\s\\S]*name="target"[\\s\\S]*value="${target}" selected`,
  )

describe('GET /translate', () => {
  it('offers the languages of the backend by name, and to detect the source', async () => {
    expectPage(await (await open()).visitor.get('/translate'), {
      shows: [
        '<option value="auto" selected>Detect language</option>',
        '<option value="fr">French</option>',
        '<option value="zt">Chinese (traditional)</option>',
        'maxlength="20"',
      ],
    })
  })

  it('names languages in the reader’s language, and translates into it by default', async () => {
    const { visitor } = await open()
    visitor.cookies.set('bowerbird_preferences', 'interface=fr')
    expectPage(await visitor.get('/translate'), {
      shows: ['<option value="en">Anglais</option>', '<option value="fr" selected>Français</option>'],
    })
  })

  it('takes over the query, without translating it yet', async () => {
    const { visitor, asked } = await open()
    expectPage(await visitor.get('/translate?q=%3Cb%3Ehi%3C/b%3E&source=en&target=fr'), {
      shows: ['>\n&lt;b&gt;hi&lt;/b&gt;</textarea>', chosen('en', 'fr')],
    })
    expect(asked).toEqual([null, null])
  })

  it('remembers the languages of the last translation, unless the address names others', async () => {
    const { visitor, send } = await open()
    await send({ source: 'fr', target: 'en' })
    expectPage(await visitor.get('/translate'), { shows: [chosen('fr', 'en')] })
    expectPage(await visitor.get('/translate?source=en&target=fr'), { shows: [chosen('en', 'fr')] })
  })

  it('forgets a language that is no longer offered, and does not remember a failure', async () => {
    const { visitor, send } = await open()
    const shows = ['<option value="auto" selected>']
    await send({ source: 'en', target: 'nowhere' })
    expectPage(await visitor.get('/translate'), { shows })
    const translation = { source: 'xx', target: 'yy' }
    visitor.cookies.set('bowerbird_preferences', exportPreferences({ ...preferencesOf(undefined), translation }))
    expectPage(await visitor.get('/translate'), { shows })
  })

  it('503: the backend doesn’t answer, with when to try again', async () => {
    const { visitor } = await open({ ...LIBRE, [LANGUAGES]: noAnswer })
    const reply = await visitor.get('/translate?q=hi')
    expectPage(reply, { status: 503, shows: ['The translation service did not respond', 'Try again in 5 seconds.'] })
    expect(reply.headers['retry-after']).toBe('5')
  })

  it('503: not set up, with instructions for administrators', async () => {
    const { visitor, admin } = await open({})
    const shows = ['Translation is not set up on this site']
    expectPage(await visitor.get('/translate'), { status: 503, shows, hides: ['LIBRETRANSLATE_URL'] })
    expectPage(await admin.get('/translate'), { status: 503, shows: ['LIBRETRANSLATE_URL'], hides: ['restart'] })
  })
})

describe('POST /translate', () => {
  it('shows the translation and the detected language, and keeps the form', async () => {
    const { send, asked } = await open()
    expectPage(await send(), {
      shows: [
        '<p class="translated" lang="fr" dir="auto">bonjour</p>',
        'Detected language: English',
        'data-copy="bonjour"',
        '>\nhello</textarea>',
        '<option value="fr" selected>French</option>',
      ],
    })
    expect(asked).toContainEqual(expect.objectContaining({ text: 'hello', source: 'auto', target: 'fr' }))
    expectPage(await send({ source: 'en' }), { hides: ['Detected language:'] })
  })

  it('swaps the languages: the translation is translated back, into the language that was detected', async () => {
    const { send, asked } = await open()
    const reply = await send({ swap: 'on', translated: 'bonjour', detected: 'en' })
    expect(asked.at(-1)).toMatchObject({ text: 'bonjour', source: 'fr', target: 'en' })
    expectPage(reply, { shows: ['>\nbonjour</textarea>', chosen('fr', 'en')] })
    const before = await send({ text: '', source: 'fr', target: 'en', swap: 'on' })
    expectPage(before, { shows: [/name="source"[\s\S]*<option value="en" selected>/], hides: ['aria-invalid'] })
  })

  it('a translation is text and nothing else', async () => {
    const { send } = await open({ ...LIBRE, [TRANSLATION]: { text: '<script>x</script>"', detected: '<i>' } })
    expectPage(await send(), {
      shows: ['&lt;script&gt;x&lt;/script&gt;&quot;', 'Detected language: &lt;i&gt;'],
      hides: ['<script>x'],
    })
  })

  it('counts a line break as one character, however the browser sends it', async () => {
    const { send, asked } = await open()
    expectPage(await send({ text: 'a\r\n'.repeat(10) }), {})
    expect(asked).toContainEqual(expect.objectContaining({ text: 'a\n'.repeat(10) }))
  })

  it.each<[string, Record<string, string>, string, Sayings?]>([
    ['nothing to translate', { text: ' \n ' }, 'Enter some text to translate.'],
    ['too long a text', { text: 'a'.repeat(21) }, 'Shorten it to 20 characters or fewer.'],
    ['a target that is not offered', { target: 'xx' }, 'Translation between these two languages is not available.'],
    ['a target that the source has not got', { source: 'fr', target: 'zt' }, 'Translation between these two languages'],
    ['a source that is not offered', { source: 'xx' }, 'This language is not available.'],
    ['what the backend finds too long', {}, 'Translate it in parts.', { ...LIBRE, 'libretranslate longest text': 3 }],
  ])('400: %s is shown beside its field', async (_name, fields, message, sayings) => {
    const view: PageView = { status: 400, shows: [message, 'aria-invalid="true"'], hides: ['class="translated"'] }
    expectPage(await (await open(sayings)).send(fields), view)
  })

  it('503: the form is kept if the backend fails', async () => {
    const { send } = await open({ ...LIBRE, [TRANSLATION]: noAnswer })
    const reply = await send({ text: 'dear friend' })
    expect(reply.headers['retry-after']).toBe('5')
    expectPage(reply, {
      status: 503,
      shows: ['The translation service did not respond. Try again in 5 seconds.', '>\ndear friend</textarea>'],
    })
  })

  it('503: the form is kept even if the languages are unavailable', async () => {
    let isUp = true
    const { visitor } = await open({ ...LIBRE, [LANGUAGES]: () => (isUp ? LIBRE[LANGUAGES] : noAnswer) })
    const _csrf = await visitor.token('/translate')
    isUp = false
    const reply = await visitor.post('/translate', { _csrf, text: 'dear', source: 'en', target: 'fr' })
    expectPage(reply, { status: 503, shows: ['>\ndear</textarea>', '<option value="fr" selected>'] })
  })

  it('does not pass a long text on to the other tabs', async () => {
    const { send } = await open(LIBRE, 5_000)
    expectPage(await send({ text: 'word '.repeat(200) }), { shows: ['<a href="/search">'] })
  })
})
