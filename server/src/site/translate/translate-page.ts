// GET and POST /translate: a text in another language. The text travels in the body of a form and never in an address, but
// for the few words that somebody takes along from a search (`q`). When the backend fails, the text is still in the form.
import { z } from 'zod'
import { isTooLong } from '../../search/read-filters.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type View, type Visit } from '../http/page.ts'
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
  async handle(visit) {
    const { query, services, words } = visit
    if (!services.translate.isConfigured) return notSetUp(visit, query.q)
    try {
      const languages = await services.translate.languages()
      const target = query.target || usualTarget(languages, visit)
      const draft = { text: query.q, source: query.source || AUTO, target, languages }
      return viewOf(visit, query.q, { body: translateForm(visit, draft) })
    } catch (error) {
      if (!isUnavailable(error)) throw error
      const { help, again, status } = words.search.failed
      const actions = [
        buttonLink(again, visit.address),
        visit.hasPage('/status') && html`<a href="/status">${status}</a>`,
      ]
      const body = state(words.translate.failed, [help(secondsIn(error))], actions)
      return viewOf(visit, query.q, { status: 503, headers: { ...error.headers }, body })
    }
  },
})

const translatePage = definePage({
  method: 'POST',
  path: '/translate',
  access: 'searcher',
  spends: 'search',
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
  async handle(visit) {
    const { given, form, services } = visit
    const { text, source, target } = form.ok ? form.values : draftOf(given)
    if (!services.translate.isConfigured) return notSetUp(visit, text)
    const languages = await languagesIfAny(visit)
    const { status, headers, translation, messages, failure } = await attemptTranslation(visit)
    const draft = { text, source, target, languages, messages, failure }
    const body = html`${translateForm(visit, draft)}${translation && translationOf(visit, translation, languages)}`
    return viewOf(visit, text, { body, status, headers })
  },
})

/** What was sent, for the form that goes back. */
const draftOf = (given: Visit['given']) => ({
  text: given['text'] ?? '',
  source: given['source'] ?? AUTO,
  target: given['target'] ?? '',
})

/** Without them there is still the text to be given back. */
async function languagesIfAny({ services }: Visit): Promise<OfferedLanguage[]> {
  try {
    return await services.translate.languages()
  } catch (error) {
    if (isUnavailable(error)) return []
    throw error
  }
}

/** The reader's own language, as people translate what they cannot read. */
const usualTarget = (languages: readonly OfferedLanguage[], { locale }: Visit): string =>
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

function viewOf({ words }: Visit, text: string, content: Content): View {
  // The other tabs search for words; whoever has a whole text here does not mean to.
  const line = text.trim().replace(/\s+/g, ' ')
  const column = html`<div class="columns"><div class="column">${content.body}</div></div>`
  const search = { text: isTooLong(line) ? '' : line, tab: 'translate' as const }
  return { title: words.translate.title, layout: 'results', search, ...content, body: column }
}

function notSetUp(visit: Visit, text: string): View {
  const { title, help, adminHelp } = visit.words.translate.notSetUp
  return viewOf(visit, text, { status: 503, body: state(title, visit.viewer?.isAdmin ? [help, adminHelp] : [help]) })
}

export const translatePages: readonly Page[] = [openPage, translatePage]
