// Settings → Search: a form for the reader's preferences, and the line that carries them to another browser. For
// everyone who may search, signed in or not. Where they are stored: see `preferences.ts`.

import { TABS } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import type { Cards } from '../../cards/cards.ts'
import { readLanguage } from '../../search/read-filters.ts'
import { readRegion } from '../../search/regions.ts'
import type { Search } from '../../search/search.ts'
import type { Suggest } from '../../search/suggest.ts'
import type { KeyedHash } from '../../text/cryptography.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import { LANGUAGES } from '../i18n/messages.ts'
import { actions, button, checkbox, choiceField, postForm, selectField, textField } from '../parts/form.ts'
import { interfaceLanguage } from '../parts/formats.ts'
import { copyable, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  DEFAULT_PREFERENCES,
  DENSITIES,
  exportPreferences,
  importPreferences,
  type Preferences,
  THEMES,
} from '../preferences.ts'
import { languageOptions, regionOptions } from '../search/filters.ts'
import { joinNames } from '../search/result-parts.ts'
import { areSuggestionsOffered, areSuggestionsOn, suggestionToken } from '../suggestions.ts'

export interface PreferencesPageParts {
  search: Search
  suggest: Suggest
  cards: Cards
  signSuggestionToken: KeyedHash
}

const PATH = '/settings/search'
const AUTO = 'auto'
const MAX_CODE_LENGTH = 500

const CHANGES = ['saved', 'imported', 'wasReset'] as const

interface Draft {
  preferences: Preferences
  /** Errors about the chosen engines, or about the pasted line. */
  engineErrors?: readonly string[]
  code?: string
  codeErrors?: readonly string[]
}

const PreferencesQuery = z.object({ done: z.enum(CHANGES).optional().catch(undefined) })

const preferencesPage = (parts: PreferencesPageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'searcher',
    query: PreferencesQuery,
    handle(context) {
      const { done } = context.query
      const note = done && notice('good', context.words.settings.search[done])
      return viewOf(parts, context, { preferences: context.preferences }, note)
    },
  })

/** Browsers don't send an unticked box. */
const ticked = z
  .string()
  .optional()
  .transform((value) => value !== undefined)

/** Ignores values that the form doesn't offer. */
const PreferencesForm = z.object({
  engines: z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(z.string())).catch([]),
  safe: ticked.catch(true),
  lang: z.string().transform((text) => readLanguage(text) ?? ''),
  region: z
    .string()
    .transform((text) => readRegion(text) ?? '')
    .catch(''),
  suggestions: ticked.catch(false),
  cards: ticked.catch(false),
  answers_first: ticked.catch(false),
  theme: z.enum(THEMES).catch('auto'),
  density: z.enum(DENSITIES).catch('comfortable'),
  new_tab: ticked.catch(false),
  keys: ticked.catch(false),
  interface: z.enum(LANGUAGES).or(z.literal('')).catch(''),
})

const saveAction = (parts: PreferencesPageParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'searcher',
    form: () => PreferencesForm,
    async handle(context) {
      // The form as this page renders it is always valid; the only error is choosing no engine, below.
      if (!context.form.ok) return viewOf(parts, context, { preferences: context.preferences })
      const {
        engines: tickedSlots,
        answers_first: answersFirst,
        new_tab: newTab,
        interface: interfaceLocale,
        ...otherPreferences
      } = context.form.values
      const offered = offeredSlots(parts.search).map(({ slot }) => slot)
      const chosen = offered.filter((slot) => tickedSlots.includes(slot))
      const engines = chosen.length === offered.length ? [] : chosen
      // If the form has no box for suggestions, keep the stored preference.
      const storedSuggestions = areSuggestionsOffered(context) ? {} : { suggestions: context.preferences.suggestions }
      const { translation } = context.preferences
      const renamed = { answersFirst, newTab, interfaceLocale }
      const preferences = { ...otherPreferences, ...storedSuggestions, ...renamed, engines, translation }
      if (offered.length > 0 && chosen.length === 0) {
        return viewOf(parts, context, { preferences, engineErrors: [context.words.settings.search.noEngine] })
      }
      await context.setPreferences(preferences)
      return redirectTo(`${PATH}?done=saved`)
    },
  })

const importForm = () => z.object({ code: z.string().catch('') })

const importAction = (parts: PreferencesPageParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/import`,
    access: 'searcher',
    form: importForm,
    async handle(context) {
      const code = context.form.ok ? context.form.values.code : ''
      const preferences = importPreferences(code)
      if (!preferences) {
        return viewOf(parts, context, {
          preferences: context.preferences,
          code: code.slice(0, MAX_CODE_LENGTH),
          codeErrors: [context.words.settings.search.notACode],
        })
      }
      await context.setPreferences(preferences)
      return redirectTo(`${PATH}?done=imported`)
    },
  })

const resetAction = definePage({
  method: 'POST',
  path: `${PATH}/reset`,
  access: 'searcher',
  async handle(context) {
    await context.setPreferences(DEFAULT_PREFERENCES)
    return redirectTo(`${PATH}?done=wasReset`)
  },
})

export const preferencesPages = (parts: PreferencesPageParts): Page[] => [
  preferencesPage(parts),
  saveAction(parts),
  importAction(parts),
  resetAction,
]

function viewOf(parts: PreferencesPageParts, context: PageContext, draft: Draft, note?: Html): View {
  const { title, intro } = context.words.settings.search
  const isWrong = draft.engineErrors !== undefined || draft.codeErrors !== undefined
  const content = html`${note}${isWrong && notice('bad', context.words.frame.formHasMistakes)}
<p class="measure">${context.viewer ? context.words.people.preferences.intro : intro}</p>
<div class="preferences">${dataSharingSection(parts, context)}
${postForm(context, { action: PATH, body: fieldsOf(parts.search, context, draft) })}</div>
${transferSection(context, draft)}`
  const { viewer } = context
  // Some browsers fetch the OpenSearch description, too, without a session, so its URL contains a token. Pages that show
  // user input must not contain one.
  const personalDescription =
    viewer && areSuggestionsOn(context) && `/opensearch.xml?for=${suggestionToken(parts.signSuggestionToken, viewer)}`
  const description = personalDescription ? { searchDescription: personalDescription } : {}
  return settingsView(context, PATH, { title, content, status: isWrong ? 400 : 200, ...description })
}

interface OfferedSlot {
  slot: string
  /** The providers behind it, each once. */
  names: string[]
  tabs: (typeof TABS)[number][]
}

/** The slots that serve at least one tab. */
const offeredSlots = (search: Search): OfferedSlot[] =>
  search.slotNames
    .map((slot) => {
      const tabs = TABS.filter((tab) => search.engineNamesOf(slot, tab).length > 0)
      return { slot, tabs, names: [...new Set(tabs.flatMap((tab) => search.engineNamesOf(slot, tab)))] }
    })
    .filter(({ tabs }) => tabs.length > 0)

function fieldsOf(search: Search, context: PageContext, { preferences, engineErrors }: Draft): Html {
  const { finding } = context.words
  const words = context.words.settings.search
  const { safe, suggestions, cards, answersFirst, theme, density, newTab, keys, interfaceLocale } = preferences
  return html`${engineField(search, context, preferences, engineErrors)}
${checkbox({ name: 'safe', label: words.safe, help: words.safeHelp, isChosen: safe })}
${languageField(context, preferences)}
${regionField(search, context, preferences)}
${areSuggestionsOffered(context) && checkbox({ name: 'suggestions', label: words.suggestions, help: words.suggestionsHelp, isChosen: suggestions })}
${checkbox({ name: 'cards', label: words.cards, help: words.cardsHelp, isChosen: cards })}
${checkbox({ name: 'answers_first', label: words.answersFirst, help: words.answersFirstHelp, isChosen: answersFirst })}
${checkbox({ name: 'new_tab', label: words.newTab, isChosen: newTab })}
${checkbox({ name: 'keys', label: finding.shortcuts, help: finding.shortcutsHelp, isChosen: keys })}
${choiceField({
  name: 'theme',
  label: words.theme,
  type: 'radio',
  options: THEMES.map((value) => ({ value, label: words.themes[value], isChosen: value === theme })),
})}
${choiceField({
  name: 'density',
  label: context.words.appearance.density,
  type: 'radio',
  options: DENSITIES.map((value) => ({
    value,
    label: context.words.appearance.densities[value],
    isChosen: value === density,
  })),
})}
${selectField({
  name: 'interface',
  label: words.interface,
  value: interfaceLocale || AUTO,
  options: [
    { value: AUTO, label: words.browserLanguage },
    ...LANGUAGES.map((value) => ({ value, label: interfaceLanguage(value) })),
  ],
})}
${actions(button(words.save))}`
}

/** If the preferences contain no engine of this instance, all are used, so all are ticked. */
function engineField(
  search: Search,
  { words, locale }: PageContext,
  { engines }: Preferences,
  errors: Draft['engineErrors'],
): Html {
  const offered = offeredSlots(search)
  if (offered.length === 0) return html``
  const known = engines.filter((name) => offered.some(({ slot }) => slot === name))
  const hasChosenNone = errors !== undefined
  const { engines: label, enginesHelp: help } = words.settings.search
  return choiceField({
    name: 'engines',
    label,
    help,
    errors,
    type: 'checkbox',
    options: offered.map(({ slot, names, tabs }) => ({
      value: slot,
      label: joinNames(names, locale),
      help: joinNames(
        tabs.map((tab) => words.frame.tabs[tab]),
        locale,
      ),
      isChosen: !hasChosenNone && (known.length === 0 || known.includes(slot)),
    })),
  })
}

function languageField({ words, locale }: PageContext, { lang }: Preferences): Html {
  const options = languageOptions(locale)
  const isListed = lang === '' || options.some(({ value }) => value === lang)
  return selectField({
    name: 'lang',
    label: words.settings.search.language,
    help: words.settings.search.languageHelp,
    value: lang || AUTO,
    options: [
      { value: AUTO, label: words.search.filters.anyLanguage },
      ...options,
      ...(isListed ? [] : [{ value: lang, label: lang }]),
    ],
  })
}

function regionField(search: Search, context: PageContext, { region }: Preferences): Html | false {
  const { label, any, help } = context.words.region
  const options = regionOptions(search, context, { tabs: TABS, chosen: region })
  return (
    options.length > 0 &&
    selectField({
      name: 'region',
      label,
      help,
      value: region || 'all',
      options: [{ value: 'all', label: any }, ...options],
    })
  )
}

/** Goes by the stored preferences, not those in the form. */
function dataSharingSection(parts: Pick<PreferencesPageParts, 'suggest' | 'cards'>, context: PageContext): Html {
  const { preferences, locale } = context
  const { sent } = context.words.settings.search
  const cards = preferences.cards ? parts.cards.providerNames : []
  const sentences = [
    sent.searches,
    cards.length > 0 && sent.cards({ names: joinNames(cards, locale) }),
    areSuggestionsOn(context)
      ? sent.suggestions({ names: joinNames(parts.suggest.providerNames, locale) })
      : sent.noSuggestions,
    areSuggestionsOn(context) && context.words.finding.related.sent,
    sent.pictures,
    sent.links,
  ]
  return html`<section><h2>${sent.title}</h2>
<ul class="sentences">${sentences.map((sentence) => sentence && html`<li>${sentence}</li>`)}</ul></section>`
}

/** Exports the stored preferences, not those in an invalid form. */
function transferSection(context: PageContext, { code, codeErrors }: Draft): Html {
  const { frame, settings } = context.words
  const words = settings.search
  const field = textField({
    name: 'code',
    label: words.importField,
    help: words.importHelp,
    value: code,
    errors: codeErrors,
    maxlength: MAX_CODE_LENGTH,
  })
  return html`<section class="stack"><h2>${words.takeAlong}</h2>
<p class="measure">${words.takeAlongHelp}</p>
<div class="once">${copyable(exportPreferences(context.preferences), frame, words.code)}</div>
${postForm(context, { action: `${PATH}/import`, body: html`${field}${actions(button(words.import, 'plain'))}` })}
${postForm(context, { action: `${PATH}/reset`, body: actions(button(words.reset, 'plain')) })}
</section>`
}
