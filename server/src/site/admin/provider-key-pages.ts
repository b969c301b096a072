// Administration → Engines, the section about the keys of data sources: paste one, or remove it. Removing an engine's key
// leads here, too. A key is never shown again. It decides who is paid and who sees queries, so its forms ask for the
// password again.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { ProviderKey } from '../../settings/provider-keys.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, postForm, selectField, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'

export interface ProviderKeyPagesParts {
  accounts: Accounts
  settings: SettingsDesk
}

const ENGINES_PATH = '/admin/engines'
const SAVE_PATH = '/admin/engines/keys'
const REMOVE_PATH = '/admin/engines/keys/remove'
export const MAX_KEY_LENGTH = 4_000

/** One line that can be quoted in an env file. */
export const KEY_FORM = /^[^\p{Cc}`]+$/u

/** The environment's can't be changed here. */
const findKey = (settings: SettingsDesk, setting: string): ProviderKey | undefined =>
  settings.keys().find((key) => key.setting === setting && key.origin !== 'environment')

const saveKeyForm = ({ admin: { keys } }: Words) =>
  z.object({
    setting: z.string().max(100, keys.unknown),
    key: z.string().trim().regex(KEY_FORM, keys.missing).max(MAX_KEY_LENGTH, keys.missing),
  })

const saveKeyPage = ({ accounts, settings }: ProviderKeyPagesParts) =>
  definePage({
    method: 'POST',
    path: SAVE_PATH,
    access: 'admin',
    stepUp: ENGINES_PATH,
    form: saveKeyForm,
    async handle(context) {
      const { form, words } = context
      if (!form.ok) return formView(settings, context, form.messages)
      const key = findKey(settings, form.values.setting)
      if (!key || key.engine !== undefined || !settings.takesSecrets)
        return formView(settings, context, { setting: [words.admin.keys.unknown] })
      await settings.change(actingAccess(accounts, context), { [key.setting]: form.values.key })
      return redirectTo(`${ENGINES_PATH}#keys`)
    },
  })

const removeKeyFields = () => z.object({ setting: z.string().max(100).catch('') })

const removeKeyPage = ({ accounts, settings }: ProviderKeyPagesParts) =>
  definePage({
    method: 'POST',
    path: REMOVE_PATH,
    access: 'admin',
    stepUp: ENGINES_PATH,
    form: removeKeyFields,
    async handle(context) {
      const { form } = context
      const key = form.ok ? findKey(settings, form.values.setting) : undefined
      if (key) await settings.change(actingAccess(accounts, context), { [key.setting]: undefined })
      return redirectTo(
        key?.engine === undefined
          ? `${ENGINES_PATH}#keys`
          : `${ENGINES_PATH}?engine=${key.engine}#engine-${key.engine}`,
      )
    },
  })

export const providerKeyPages = (parts: ProviderKeyPagesParts): Page[] => [saveKeyPage(parts), removeKeyPage(parts)]

export const removeKeyForm = (context: PageContext, { setting }: ProviderKey): Html =>
  postForm(context, {
    action: REMOVE_PATH,
    isInline: true,
    body: html`<input type="hidden" name="setting" value="${setting}">${button(context.words.admin.keys.remove, 'plain')}`,
  })

export function sourceKeysSection(settings: SettingsDesk, context: PageContext): Html {
  const text = context.words.admin.keys
  const columns: Column<ProviderKey>[] = [
    {
      label: text.provider,
      isHeading: true,
      cell: ({ provider, setting }) => html`${provider} <code class="quiet">${setting}</code>`,
    },
    {
      label: text.origin,
      cell: (key) =>
        key.origin === 'environment' ? text.fromEnvironment : html`${text.fromDatabase} ${removeKeyForm(context, key)}`,
    },
  ]
  const set = sourceKeys(settings).filter(({ origin }) => origin !== undefined)
  return html`<section class="stack" id="keys"><h2>${text.title}</h2><p class="help measure">${text.help}</p>
${set.length > 0 && dataTable(text.title, columns, set)}
${settings.takesSecrets ? keyForm(settings, context) : notice('partial', text.noSecret)}</section>`
}

const sourceKeys = (settings: SettingsDesk): ProviderKey[] =>
  settings.keys().filter(({ engine }) => engine === undefined)

function keyForm(
  settings: SettingsDesk,
  context: PageContext,
  messages: Readonly<Record<string, string[]>> = {},
): Html {
  const text = context.words.admin.keys
  const options = sourceKeys(settings)
    .filter(({ origin }) => origin !== 'environment')
    .map(({ setting, provider }) => ({ value: setting, label: `${provider} (${setting})` }))
  const { submitted } = context
  const body = html`${selectField({ name: 'setting', label: text.provider, value: submitted['setting'], options, errors: messages['setting'] })}
${textField({ name: 'key', type: 'password', label: text.key, help: text.keyHelp, maxlength: MAX_KEY_LENGTH, errors: messages['key'] })}
${actions(button(text.save))}`
  return postForm(context, { action: SAVE_PATH, body })
}

/** Without what was pasted. */
const formView = (settings: SettingsDesk, context: PageContext, messages: Readonly<Record<string, string[]>>) =>
  settingsView(context, ENGINES_PATH, {
    title: context.words.admin.keys.title,
    content: html`<p><a href="${ENGINES_PATH}">${context.words.admin.engines.back}</a></p>${keyForm(settings, context, messages)}`,
    status: 400,
    headers: { 'Cache-Control': 'no-store' },
  })
