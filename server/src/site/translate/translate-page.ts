// GET and POST /translate: translates a text. The text is sent in the body of a form and never in a URL, except for the
// few words carried over from a search (`q`). If the backend fails, the form keeps the text. The languages of the last
// translation are kept with the reader's preferences.
import { z } from 'zod'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { isTooLong } from '../../search/read-filters.ts'
import type { Translate } from '../../translate/translate.ts'
import { isLonger, type Translation } from '../../translate/translate.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import type { LanguagePair } from '../preferences.ts'
import { notSetUp, unavailable } from '../search/search-notes.ts'
import { type OfferedLanguage, translateForm } from './translate-form.ts'

export interface TranslatePageParts {
  translate: Translate
}

const AUTO = 'auto'
const MAX_CODE_LENGTH = 35
/** A character can take twelve bytes in a form. */
const MAX_FORM_BYTES = 262_144

const TranslateQuery = z.object({
  q: z.string().catch(''),
  source: z.string().max(MAX_CODE_LENGTH).catch(''),
  target: z.string().max(MAX_CODE_LENGTH).catch(''),
})

const formPage = ({ translate }: TranslatePageParts) =>
  definePage({
    method: 'GET',
    path: '/translate',
    access: 'searcher',
    query: TranslateQuery,
    async handle(context) {
      const { caller, query, words } = context
      if (!translate.isConfigured) return notSetUpView(context, query.q)
      try {
        const languages = await translate.languages(caller)
        const last = lastPair(languages, context)
        const source = query.source || last?.source || AUTO
        const target = query.target || last?.target || defaultTarget(languages, context)
        const { maxCharacters } = translate
        const draft = { text: query.q, source, target, languages, maxCharacters }
        return viewOf(context, query.q, { body: translateForm(context, draft) })
      } catch (error) {
        if (!isUnavailable(error)) throw error
        const body = unavailable(context, words.translate.failed, { seconds: retrySeconds(error) })
        return viewOf(context, query.q, { status: 503, headers: { ...error.headers }, body })
      }
    },
  })

const translateFields = ({ translate }: Words) =>
  z.object({
    // Browsers send every line break as two characters, which must not count towards the length.
    text: z
      .string(translate.noText)
      .transform((text) => text.replaceAll('\r\n', '\n'))
      .refine((text) => text.trim() !== '', translate.noText),
    source: z.string().max(MAX_CODE_LENGTH).catch(AUTO),
    target: z.string().max(MAX_CODE_LENGTH).catch(''),
  })

const translatePage = (parts: TranslatePageParts) =>
  definePage({
    method: 'POST',
    path: '/translate',
    access: 'searcher',
    maxFormBytes: MAX_FORM_BYTES,
    quota: 'search',
    form: translateFields,
    async handle(context) {
      const { submitted, form } = context
      const sent = form.ok ? form.values : draftOf(submitted)
      if (!parts.translate.isConfigured) return notSetUpView(context, sent.text)
      const languages = await languagesIfAvailable(parts.translate, context)
      const shared = { languages, maxCharacters: parts.translate.maxCharacters }
      const isSwapped = submitted['swap'] !== undefined
      const values = isSwapped ? swapped(context, sent, languages) : sent
      const { text } = values
      // Languages can be swapped before there is a text.
      if (isSwapped && text === '')
        return viewOf(context, '', { body: translateForm(context, { ...values, ...shared }) })
      const { status, headers, ...outcome } =
        form.ok || isSwapped
          ? await attemptTranslation(parts.translate, context, values)
          : { status: 400, headers: {}, messages: form.messages }
      if (outcome.translation) {
        await rememberLanguages(context, values)
      }
      return viewOf(context, text, {
        body: translateForm(context, { ...values, ...shared, ...outcome }),
        status,
        headers,
      })
    },
  })

/** A translation is shown whether or not that works. */
async function rememberLanguages(context: PageContext, { source, target }: FormValues): Promise<void> {
  try {
    await context.setPreferences({ ...context.preferences, translation: { source: source || AUTO, target } })
  } catch (error) {
    context.log.warn({ err: new Error('could not save preferences', { cause: error }) })
  }
}

/** The languages exchanged, and the translation, if there is one, as the text. A detected language becomes the target. */
function swapped(context: PageContext, { text, source, target }: FormValues, languages: readonly OfferedLanguage[]) {
  const { translated = '', detected = '' } = context.submitted
  const newTarget = source === AUTO ? detected || defaultTarget(languages, context) : source
  return { text: translated || text, source: target || AUTO, target: newTarget }
}

/** The submitted values, for refilling the form. */
const draftOf = (submitted: PageContext['submitted']) => ({
  text: submitted['text'] ?? '',
  source: submitted['source'] ?? AUTO,
  target: submitted['target'] ?? '',
})

/** Returns no languages if the backend is unavailable, so that the form can still keep the text. */
async function languagesIfAvailable(translate: Translate, { caller }: PageContext): Promise<OfferedLanguage[]> {
  try {
    return await translate.languages(caller)
  } catch (error) {
    if (isUnavailable(error)) return []
    throw error
  }
}

/** The languages of the last translation, if both are still offered. */
function lastPair(languages: readonly OfferedLanguage[], { preferences }: PageContext): LanguagePair | undefined {
  const offered = new Set([AUTO, ...languages.map(({ code }) => code)])
  const { translation: pair } = preferences
  return pair && offered.has(pair.source) && offered.has(pair.target) ? pair : undefined
}

/** The language of the interface, if it is offered, because people translate what they can't read. */
const defaultTarget = (languages: readonly OfferedLanguage[], { language }: PageContext): string =>
  languages.find(({ code }) => code === language)?.code ??
  languages.find(({ code }) => languageOnly(code) === language)?.code ??
  languages[0]?.code ??
  ''

/** Returns the code of the language alone, without script or region: `en` for `eng`, `zh` for `zh_Hans`. */
function languageOnly(code: string): string {
  try {
    return new Intl.Locale(code.replaceAll('_', '-')).language
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}

type Content = { body: Html } & Pick<View, 'status' | 'headers'>

function viewOf({ words }: PageContext, text: string, content: Content): View {
  // The other tabs search for words, so they don't get a whole text.
  const searchText = text.trim().replace(/\s+/g, ' ')
  const column = html`<div class="columns"><div class="column">${content.body}</div></div>`
  const search = { text: isTooLong(searchText) ? '' : searchText, tab: 'translate' as const }
  return { title: words.translate.title, layout: 'results', search, ...content, body: column }
}

const notSetUpView = (context: PageContext, text: string): View =>
  viewOf(context, text, { status: 503, body: notSetUp(context, context.words.translate.notSetUp) })

export const translatePages = (parts: TranslatePageParts): Page[] => [formPage(parts), translatePage(parts)]

interface FormValues {
  text: string
  source: string
  target: string
}

interface Outcome {
  status: number
  headers: Record<string, string>
  translation?: Translation
  messages?: FieldMessages
  failure?: string
}

/**
 * Attempts a translation, and explains any failure in the reader's language. The service's error messages are written
 * for programs; only the field they are about is used.
 */
async function attemptTranslation(
  translate: Translate,
  { caller, words, locale }: PageContext,
  { text, source, target }: FormValues,
): Promise<Outcome> {
  const { translate: texts, search } = words
  const { maxCharacters } = translate
  if (isLonger(text, maxCharacters)) {
    const max = new Intl.NumberFormat(locale).format(maxCharacters)
    return { status: 400, headers: {}, messages: { text: [texts.tooLong({ most: max })] } }
  }
  try {
    const translation = await translate.translate(caller, { text, source: source || AUTO, target })
    return { status: 200, headers: {}, translation }
  } catch (error) {
    if (isUnavailable(error)) {
      const failure = `${texts.failed}. ${search.failed.help({ seconds: retrySeconds(error) })}`
      return { status: 503, headers: { ...error.headers }, failure }
    }
    if (!(error instanceof Refusal) || error.status !== 400) throw error
    const isDetecting = source === AUTO
    return {
      status: 400,
      headers: {},
      messages: {
        ...('q' in error.body && { text: [texts.tooLongThere] }),
        ...('source' in error.body && { source: [isDetecting ? texts.undetected : texts.unknownSource] }),
        ...('target' in error.body && { target: [texts.wrongTarget] }),
      },
    }
  }
}

const isUnavailable = (error: unknown): error is Refusal => error instanceof Refusal && error.status === 503

const retrySeconds = ({ headers }: Refusal): number => Number(headers['Retry-After'] ?? 1)
