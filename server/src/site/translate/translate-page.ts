// GET and POST /translate: a text in another language. The text travels in the body of a form and never in an address,
// but for the few words that somebody takes along from a search (`q`). When the backend fails, the text is still in the
// form.
import { z } from 'zod'
import { isTooLong } from '../../search/read-filters.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, type View } from '../http/page.ts'
import { buttonLink } from '../parts/form.ts'
import { state } from '../search/search-notes.ts'
import { AUTO, attemptTranslation, isUnavailable, secondsIn } from './attempt-translation.ts'
import type { OfferedLanguage } from './language-options.ts'
import { translateForm, translationOf } from './translate-form.ts'

const LONGEST_CODE = 35

const TranslateQuery = z.object({
  q: z.string().catch(''),
  source: z.string().max(LONGEST_CODE).catch(AUTO),
  target: z.string().max(LONGEST_CODE).catch(''),
})

const openPage = definePage({
  method: 'GET',
  path: '/translate',
  access: 'searcher',
  query: TranslateQuery,
  async handle(context) {
    const { query, services, words } = context
    if (!services.translate.isConfigured) return notSetUp(context, query.q)
    try {
      const languages = await services.translate.languages()
      const target = query.target || usualTarget(languages, context)
      const draft = { text: query.q, source: query.source || AUTO, target, languages }
      return viewOf(context, query.q, { body: translateForm(context, draft) })
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const { help, again, status } = words.search.failed
      const actions = [
        buttonLink(again, context.address),
        context.hasPage('/status') && html`<a href="/status">${status}</a>`,
      ]
      const body = state(words.translate.failed, [help(secondsIn(error))], actions)
      return viewOf(context, query.q, { status: 503, headers: { ...error.headers }, body })
    }
  },
})

const translatePage = definePage({
  method: 'POST',
  path: '/translate',
  access: 'searcher',
  quota: 'search',
  form: ({ translate }) =>
    z.object({
      // A browser sends every line break as two characters, which is not how long the text is.
      text: z
        .string(translate.noText)
        .transform((text) => text.replaceAll('\r\n', '\n'))
        .refine((text) => text.trim() !== '', translate.noText),
      source: z.string().max(LONGEST_CODE).catch(AUTO),
      target: z.string().max(LONGEST_CODE).catch(''),
    }),
  async handle(context) {
    const { given, form, services } = context
    const { text, source, target } = form.ok ? form.values : draftOf(given)
    if (!services.translate.isConfigured) return notSetUp(context, text)
    const languages = await languagesIfAny(context)
    const { status, headers, translation, messages, failure } = await attemptTranslation(context)
    const draft = { text, source, target, languages, messages, failure }
    const body = html`${translateForm(context, draft)}${translation && translationOf(context, translation, languages)}`
    return viewOf(context, text, { body, status, headers })
  },
})

/** What was sent, for the form that goes back. */
const draftOf = (given: PageContext['given']) => ({
  text: given['text'] ?? '',
  source: given['source'] ?? AUTO,
  target: given['target'] ?? '',
})

/** Without them there is still the text to be given back. */
async function languagesIfAny({ services }: PageContext): Promise<OfferedLanguage[]> {
  try {
    return await services.translate.languages()
  } catch (error) {
    if (isUnavailable(error)) return []
    throw error
  }
}

/** The reader's own language, as people translate what they cannot read. */
const usualTarget = (languages: readonly OfferedLanguage[], { locale }: PageContext): string =>
  languages.find(({ code }) => code === locale)?.code ??
  languages.find(({ code }) => baseOf(code) === locale)?.code ??
  languages[0]?.code ??
  ''

/** `eng` is `en`. */
function baseOf(code: string): string {
  try {
    return new Intl.Locale(code.replaceAll('_', '-')).language
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}

type Content = { body: Html } & Pick<View, 'status' | 'headers'>

function viewOf({ words }: PageContext, text: string, content: Content): View {
  // The other tabs search for words; whoever has a whole text here does not mean to.
  const line = text.trim().replace(/\s+/g, ' ')
  const column = html`<div class="columns"><div class="column">${content.body}</div></div>`
  const search = { text: isTooLong(line) ? '' : line, tab: 'translate' as const }
  return { title: words.translate.title, layout: 'results', search, ...content, body: column }
}

function notSetUp(context: PageContext, text: string): View {
  const { title, help, adminHelp } = context.words.translate.notSetUp
  return viewOf(context, text, {
    status: 503,
    body: state(title, context.viewer?.isAdmin ? [help, adminHelp] : [help]),
  })
}

export const translatePages: readonly Page[] = [openPage, translatePage]
