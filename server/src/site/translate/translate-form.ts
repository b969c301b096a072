// The form of the translation page, and the translation: beside the text, or on a phone under it.
import type { FieldMessages } from '../../errors.ts'
import type { Translation } from '../../translate/translate.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Locale } from '../i18n/messages.ts'
import { actions, button, postForm, type SelectParts, selectField, textArea } from '../parts/form.ts'
import { capitalised, languageName } from '../parts/formats.ts'
import { copyButton, notice } from '../parts/notice.ts'

interface Draft {
  text: string
  source: string
  target: string
  languages: readonly OfferedLanguage[]
  /** How long a text may be. */
  maxCharacters: number
  messages?: FieldMessages | undefined
  /** Why there is no translation, when it is not the reader's fault. */
  failure?: string | undefined
  translation?: Translation | undefined
}

const ROWS = 6

export function translateForm(context: PageContext, draft: Draft): Html {
  const { words, locale } = context
  const { translate } = words
  const { text, source, target, languages, maxCharacters, messages = {}, failure, translation } = draft
  const max = new Intl.NumberFormat(locale).format(maxCharacters)
  const detect = { value: 'auto', label: translate.detect }
  const sources = offeredOptions(languages, source === 'auto' ? '' : source, locale)
  const body = html`${failure && notice('bad', failure)}<div class="languages">
${selectField({ name: 'source', label: translate.from, value: source, options: [detect, ...sources], errors: messages['source'] })}
<button type="submit" name="swap" value="on" class="button button-plain" formnovalidate aria-label="${translate.swap}" title="${translate.swap}">⇄</button>
${selectField({ name: 'target', label: translate.to, value: target, options: offeredOptions(languages, target, locale), errors: messages['target'] })}</div>
<div class="sides">${textArea({ name: 'text', label: translate.text, value: text, rows: ROWS, maxlength: maxCharacters, attributes: html` data-count="#text-count"`, errors: messages['text'], help: html`<span class="count"><span id="text-count">0</span> / ${max}</span>${translate.limit({ most: max })}` })}
${actions(button(translate.translate))}${translationSection(context, translation, languages)}</div>`
  // Scrolls to the translation, which may be off-screen on a phone.
  return html`<h1 class="visually-hidden">${translate.title}</h1><div class="translate">${postForm(context, { action: '/translate#translation', body })}</div>`
}

/** The hidden fields let the button that swaps the languages translate the translation back. */
function translationSection(
  { words: { translate, frame }, locale }: PageContext,
  translation: Translation | undefined,
  languages: readonly OfferedLanguage[],
): Html {
  if (!translation) return html`<section class="translation"><h2>${translate.translation}</h2></section>`
  const { text, target, detected } = translation
  const known = languages.find(({ code }) => code === detected) ?? { code: detected, name: detected }
  return html`<section class="translation" id="translation"><h2>${translate.translation}</h2>
${detected !== '' && html`<p class="quiet">${translate.detected({ language: nameOf(known, locale) })}</p>`}
<input type="hidden" name="translated" value="${text}"><input type="hidden" name="detected" value="${detected}">
<p class="translated" lang="${target}" dir="auto">${text}</p>
${copyButton(text, frame)}</section>`
}

export interface OfferedLanguage {
  code: string
  name: string
}

/** In the reader's language. A code that only the backend knows keeps the backend's name, which is in English. */
const nameOf = ({ code, name }: OfferedLanguage, locale: Locale): string => languageName(code, locale) ?? name

/**
 * Sorted by name. Includes the chosen language even if it isn't offered, so that the form shows what was submitted.
 */
function offeredOptions(offered: readonly OfferedLanguage[], chosen: string, locale: Locale): SelectParts['options'] {
  const isOffered = chosen === '' || offered.some(({ code }) => code === chosen)
  const all = isOffered ? offered : [...offered, { code: chosen, name: chosen }]
  return all
    .map((language) => ({ value: language.code, label: capitalised(nameOf(language, locale), locale) }))
    .sort((one, other) => one.label.localeCompare(other.label, locale))
}
