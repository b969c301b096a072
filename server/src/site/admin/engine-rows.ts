// Engines as rows, for Administration → Engines and the first run: name, what it brings, price, who gets the queries, state.
// A row opens in place and has what can be set for the engine; a value that the environment sets is text with the reason.
import { TABS, UNKNOWN_INDEX } from '@bowerbird/engines/engine.ts'
import type { CostReader } from '../../budget/cost-ledger.ts'
import type { FieldMessages } from '../../errors.ts'
import type { CatalogueEntry, CatalogueTab } from '../../search/engine-catalogue.ts'
import type { KeylessSetting } from '../../settings/keyless-setting.ts'
import { envOf } from '../../settings/provider-configuration.ts'
import type { ProviderKey } from '../../settings/provider-keys.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { actions, button, postForm, selectField, textField } from '../parts/form.ts'
import { capitalised, dollars, PRICE_DIGITS } from '../parts/formats.ts'
import { notice } from '../parts/notice.ts'
import { joinNames } from '../search/result-parts.ts'
import type { EngineAdmin } from './engine-admin.ts'
import { MAX_KEY_LENGTH, removeKeyForm } from './provider-key-pages.ts'

export interface EngineRowsParts {
  costs: CostReader
  keyless: KeylessSetting
  settings: SettingsDesk
}

/** Prices are shown per this many calls. */
const CALLS_PER_PRICE = 1_000

/** The page that has the rows, and where their forms lead. */
export interface EngineForms {
  path: '/admin/engines' | '/admin/setup/engines'
  /** Only the key can be set. */
  isShort: boolean
}

/** Those that a slot can have. */
export const listedEngines = (engines: EngineAdmin): CatalogueEntry[] =>
  engines.catalogue.filter(({ isPrivate, tabs }) => !isPrivate && tabs.some(({ tab }) => tab !== 'suggest'))

export const findEngine = (engines: EngineAdmin, slug: string): CatalogueEntry | undefined =>
  listedEngines(engines).find((entry) => entry.slug === slug)

interface ListParts {
  forms: EngineForms
  /** The row that is open, and whether its form was just saved. */
  opened: { engine: string; done?: 'saved' | undefined }
}

/** Under the first tab that each serves, in the order of the tabs. */
export function groupedRows(
  parts: EngineRowsParts,
  context: PageContext,
  entries: readonly CatalogueEntry[],
  list: ListParts,
): Html {
  const groups = Map.groupBy(entries, ({ tabs }) => TABS.find((tab) => tabs.some((served) => served.tab === tab)))
  return html`${TABS.map((tab) => {
    const group = groups.get(tab)
    return group && html`<h3>${context.words.frame.tabs[tab]}</h3>${engineList(parts, context, group, list)}`
  })}`
}

export const engineList = (
  parts: EngineRowsParts,
  context: PageContext,
  entries: readonly CatalogueEntry[],
  list: ListParts,
): Html => html`<ul class="engine-rows">${entries.map((entry) => engineRow(parts, context, entry, list))}</ul>`

function engineRow(
  parts: EngineRowsParts,
  context: PageContext,
  entry: CatalogueEntry,
  { forms, opened }: ListParts,
): Html {
  const { slug, name } = entry
  const isOpen = slug === opened.engine
  return html`<li id="engine-${slug}"><details${isOpen && html` open`}><summary><span class="engine-name">${name}</span>
<span class="engine-brings">${tabNames(context, entry)}</span><span class="engine-price">${priceText(parts.costs, context, entry)}</span><span class="engine-host">${entry.host || context.words.admin.engines.ownServer}</span><span class="engine-state">${stateText(parts.settings, context, entry)}</span></summary>
<div class="engine-panel">${enginePanel(parts, context, entry, { forms, isSaved: isOpen && opened.done === 'saved' })}</div></details></li>`
}

/** `Web, images and news`. */
const tabNames = ({ words, locale }: PageContext, { tabs }: CatalogueEntry): string =>
  capitalised(
    joinNames(
      tabs.flatMap(({ tab }) => (tab === 'suggest' ? [] : [words.frame.tabs[tab].toLocaleLowerCase(locale)])),
      locale,
    ),
    locale,
  )

function priceText(costs: CostReader, { words, locale }: PageContext, { slug, needs, terms }: CatalogueEntry): string {
  const text = words.admin.engines
  const price = costs.budgets.get(slug)?.pricePerCallMicros ?? terms.pricePerCallMicros
  if (price > 0) return text.pricePerThousand({ price: dollars(price * CALLS_PER_PRICE, locale, PRICE_DIGITS) })
  return needs.length === 0 || terms.hasFreeKeys ? text.free : text.noPrice
}

function stateText(settings: SettingsDesk, { words }: PageContext, { slug, state, needs }: CatalogueEntry): string {
  const text = words.admin.engines
  const { letters, isOff } = settings.placeOf(slug)
  if (state === 'on') return text.inUse({ letters: letters.join(', ') })
  if (isOff) return text.off
  if (needs.length === 0) return text.notInUse
  return needs.some((setting) => setting.endsWith('_URL')) ? text.needsAddress : text.needsKey
}

interface PanelParts {
  forms: EngineForms
  messages?: FieldMessages
  /** Why what was sent couldn't be saved, in a sentence. */
  refusal?: string | undefined
  isSaved?: boolean
}

/** What is known about the engine, its form, and a form to try it. */
export function enginePanel(
  { keyless, settings }: Pick<EngineRowsParts, 'keyless' | 'settings'>,
  context: PageContext,
  entry: CatalogueEntry,
  panel: PanelParts,
): Html {
  const { words } = context
  const text = words.admin.engines
  const { forms, isSaved = false, refusal } = panel
  const key = settings.keys().find(({ engine }) => engine === entry.slug)
  const others = entry.needs.filter((setting) => setting !== key?.setting)
  return html`${isSaved && notice('good', text.saved)}${refusal !== undefined && notice('bad', refusal)}
<p class="measure">${recipient(keyless, context, entry)} ${providerLink(context, entry)}</p>
${others.length > 0 && html`<p class="measure">${text.needsOthers({ settings: others.join(', ') })}</p>`}
${settingsForm(settings, context, entry, { ...panel, key })}
${key?.origin === 'database' && !forms.isShort && html`<p>${removeKeyForm(context, key)}</p>`}
${entry.state === 'on' && tryForm(context, entry, { forms })}
${!forms.isShort && facts(context, entry)}`
}

/** To the page that has keys, for those who have to get one; otherwise to the front page. */
function providerLink({ words }: PageContext, { homepage, keysUrl }: CatalogueEntry): Html {
  const text = words.admin.engines
  return keysUrl === undefined
    ? html`<a href="${homepage}" rel="noreferrer">${text.website}</a>`
    : html`<a href="${keysUrl}" rel="noreferrer">${text.getKey}</a>`
}

/** Who gets the queries, and on what terms. */
function recipient(
  keyless: KeylessSetting,
  { words }: PageContext,
  { name, host, hasNoContract, needs }: CatalogueEntry,
): string {
  const text = words.admin.engines
  const { foundation, company, contract } = text.recipients
  if (host === '') return text.queriesStay
  const kind = keyless.names.foundations.includes(name)
    ? foundation
    : hasNoContract
      ? company
      : needs.length > 0
        ? contract
        : ''
  return [text.queriesGo({ host }), kind].filter(Boolean).join(' ')
}

/** What it can filter by, whose index it shows if not its own, its daily calls, and what isn't verified. */
function facts({ words, locale }: PageContext, { tabs, terms, index, slug }: CatalogueEntry): Html {
  const text = words.admin.engines
  const numbers = new Intl.NumberFormat(locale)
  const filtersOf = ({ filters, languages }: CatalogueTab): string => {
    const names = [filters.safe && text.filters.safe, filters.date && text.filters.date]
    const language =
      filters.lang && (languages ? text.filters.languages({ count: languages.length }) : text.filters.anyLanguage)
    return (
      joinNames(
        [...names, language].filter((name) => name !== undefined),
        locale,
      ) || text.filters.none
    )
  }
  const searched = tabs.flatMap((served) =>
    served.tab === 'suggest' ? [] : [html`<li>${words.frame.tabs[served.tab]}: ${filtersOf(served)}</li>`],
  )
  const rows: [string, Piece][] = [
    [text.filters.label, html`<ul>${searched}</ul>`],
    [text.index, index === slug ? '' : index === UNKNOWN_INDEX ? text.indexUnknown : index],
    [text.daily, terms.dailyCalls === undefined ? '' : numbers.format(terms.dailyCalls)],
    [text.asOfLabel, terms.asOf],
    [text.unverifiedLabel, terms.unverified ?? ''],
  ]
  return html`<dl class="facts">${rows.map(([label, value]) => value !== '' && html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`
}

type FormParts = PanelParts & { key: ProviderKey | undefined }

function settingsForm(settings: SettingsDesk, context: PageContext, entry: CatalogueEntry, panel: FormParts): Html {
  const text = context.words.admin.engines
  const { forms, key } = panel
  const keyPart = key && keyField(settings, context, entry, { ...panel, key })
  if (forms.isShort && !canPaste(settings, key)) return html`${keyPart}`
  const body = html`<input type="hidden" name="engine" value="${entry.slug}">${keyPart}
${!forms.isShort && html`${placeField(settings, context, entry, panel)}${weightField(settings, context, entry, panel)}${whenField(settings, context, entry, panel)}${capFields(settings, context, entry, panel)}`}
${actions(button(forms.isShort ? text.saveKey : context.words.frame.save))}`
  return postForm(context, { action: forms.path, body })
}

/** Where the value of a field comes from. */
export function originText(settings: SettingsDesk, { words }: PageContext, setting: string): string {
  const { fromDatabase, byDefault } = words.admin.engines
  return settings.originOf(setting) === 'database' ? fromDatabase : byDefault
}

/** A value that can't be changed here, with the reason. */
const fixedField = (label: string, value: string, reason: string): Html =>
  html`<div class="field"><p class="field-name">${label}</p><p>${value}${value !== '' && html`<br>`}<span class="quiet">${reason}</span></p></div>`

const canPaste = (settings: SettingsDesk, key: ProviderKey | undefined): boolean =>
  key !== undefined && key.origin !== 'environment' && settings.takesSecrets

function keyField(
  settings: SettingsDesk,
  context: PageContext,
  { slug, needs }: CatalogueEntry,
  { key, messages, forms }: FormParts & { key: ProviderKey },
): Html {
  const { words } = context
  const text = words.admin.engines
  if (key.origin === 'environment') return fixedField(text.key, '', text.fromEnvironment({ setting: key.setting }))
  if (!canPaste(settings, key)) return notice('partial', words.admin.keys.noSecret)
  return textField({
    name: 'key',
    idSuffix: slug,
    type: 'password',
    label: text.key,
    help: key.origin === 'database' ? text.keyStored : needs.includes(key.setting) ? text.keyHelp : text.keyOptional,
    maxlength: MAX_KEY_LENGTH,
    errors: messages?.['key'],
    // Where it is the only field, there is nothing to save without it.
    optional: forms.isShort ? undefined : words.frame.optional,
  })
}

function placeField(
  settings: SettingsDesk,
  context: PageContext,
  { slug }: CatalogueEntry,
  { messages }: PanelParts,
): Html {
  const { words, submitted } = context
  const text = words.admin.engines
  const { letters, isOff, fixedBy } = settings.placeOf(slug)
  const present = letters.length > 0 ? text.placeIn({ letters: letters.join(', ') }) : text.placeNext
  if (fixedBy !== undefined)
    return fixedField(text.place, isOff ? text.placeOff : present, text.fromEnvironment({ setting: fixedBy }))
  return selectField({
    name: 'place',
    idSuffix: slug,
    label: text.place,
    value: submitted['place'] ?? (letters.length > 0 ? 'on' : 'off'),
    options: [
      { value: 'off', label: text.placeOff },
      { value: 'on', label: present },
      ...settings.freeSlots().map((letter) => ({ value: letter, label: text.placeIn({ letters: letter }) })),
    ],
    help: letters.map((letter) => originText(settings, context, `ENGINE_${letter}`))[0],
    errors: messages?.['place'],
  })
}

/** Of the slot that it is in alone or with others. */
function weightField(
  settings: SettingsDesk,
  context: PageContext,
  { slug }: CatalogueEntry,
  { messages }: PanelParts,
): Html | false {
  const { words, submitted, locale } = context
  const text = words.admin.engines
  const [letter, ...others] = settings.placeOf(slug).letters
  if (letter === undefined || others.length > 0) return false
  const setting = `ENGINE_${letter}_WEIGHT`
  const value = settings.weightOf(letter)
  if (settings.originOf(setting) === 'environment')
    return fixedField(
      text.weight({ letter }),
      new Intl.NumberFormat(locale).format(value),
      text.fromEnvironment({ setting }),
    )
  return textField({
    name: 'weight',
    idSuffix: slug,
    label: text.weight({ letter }),
    help: `${text.weightHelp} ${originText(settings, context, setting)}`,
    value: submitted['weight'] ?? String(value),
    errors: messages?.['weight'],
    maxlength: 8,
  })
}

/** Of the same slot. What is set with figures of its own is offered as it is. */
function whenField(
  settings: SettingsDesk,
  context: PageContext,
  { slug }: CatalogueEntry,
  { messages }: PanelParts,
): Html | false {
  const { words, submitted } = context
  const text = words.admin.engines
  const [letter, ...others] = settings.placeOf(slug).letters
  if (letter === undefined || others.length > 0) return false
  const setting = `ENGINE_${letter}_WHEN`
  const value = settings.whenOf(letter)
  if (settings.originOf(setting) === 'environment')
    return fixedField(text.when({ letter }), value, text.fromEnvironment({ setting }))
  const options = [
    { value: 'always', label: text.whenAlways },
    { value: 'thin', label: text.whenThin },
  ]
  return selectField({
    name: 'when',
    idSuffix: slug,
    label: text.when({ letter }),
    help: `${text.whenHelp} ${originText(settings, context, setting)}`,
    value: submitted['when'] ?? value,
    options: options.some((option) => option.value === value) ? options : [...options, { value, label: value }],
    errors: messages?.['when'],
  })
}

function capFields(
  settings: SettingsDesk,
  context: PageContext,
  { slug }: CatalogueEntry,
  { messages }: PanelParts,
): Html {
  const { words, submitted } = context
  const text = words.admin.engines
  const field = (name: 'calls' | 'usd', setting: string) => {
    const value = settings.writtenValue(setting) ?? ''
    return settings.originOf(setting) === 'environment'
      ? fixedField(text.caps[name], value, text.fromEnvironment({ setting }))
      : textField({
          name,
          idSuffix: slug,
          label: text.caps[name],
          help: value === '' ? text.caps.help : `${text.caps.help} ${originText(settings, context, setting)}`,
          value: submitted[name] ?? value,
          errors: messages?.[name],
          optional: words.frame.optional,
          maxlength: 16,
        })
  }
  return html`<div class="field-pair">${field('calls', envOf(slug, 'MONTHLY_CALLS'))}${field('usd', envOf(slug, 'MONTHLY_USD'))}</div>`
}

/** The query is sent only in the form: it is in no URL and in no log. */
export function tryForm(
  context: PageContext,
  { slug, tabs }: CatalogueEntry,
  { forms, messages = {} }: Pick<PanelParts, 'forms' | 'messages'>,
): Html {
  const { words, submitted } = context
  const text = words.admin.engines
  const options = tabs.flatMap(({ tab }) => (tab === 'suggest' ? [] : [{ value: tab, label: words.frame.tabs[tab] }]))
  const body = html`<input type="hidden" name="engine" value="${slug}">
${textField({ name: 'q', idSuffix: slug, label: text.tryQuery, help: text.tryHelp, value: submitted['q'] ?? text.sample, maxlength: 500, errors: messages['q'] })}
${
  options.length > 1
    ? selectField({
        name: 'tab',
        idSuffix: slug,
        label: text.tryTab,
        value: submitted['tab'],
        options,
        errors: messages['tab'],
      })
    : html`<input type="hidden" name="tab" value="${options[0]?.value}">`
}
${actions(button(text.tryButton, 'plain'))}`
  return postForm(context, { action: `${forms.path}/try`, body })
}
