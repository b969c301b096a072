// Administration → Providers, the section about providers' keys: paste one, or remove it. A key is never shown again. It
// decides who is paid and who sees queries, so the page asks for the password again.
import { z } from 'zod'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo } from '../http/page.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { actions, button, postForm, selectField, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { SiteServices } from '../site-services.ts'

const SAVE_PATH = '/admin/providers/keys'
const REMOVE_PATH = '/admin/providers/keys/remove'
const MAX_LENGTH = 4_000

type ProviderKey = ReturnType<SiteServices['providerKeys']['list']>[number]

/** The environment's can't be changed here. */
const findKey = ({ services }: PageContext, setting: string): ProviderKey | undefined =>
  services.providerKeys.list().find((key) => key.setting === setting && key.origin !== 'environment')

async function save(context: PageContext, value: string | undefined, { setting }: ProviderKey): Promise<void> {
  const { ip, services, viewer } = context
  const by = services.accounts.accessBy({ address: ip, ...(viewer && { userId: viewer.userId }) })
  await services.providerKeys.save(setting, value, by)
}

const saveKeyPage = definePage({
  method: 'POST',
  path: SAVE_PATH,
  access: 'admin',
  stepUp: '/admin/providers',
  form: ({ admin: { keys } }) =>
    z.object({
      setting: z.string().max(100, keys.unknown),
      key: z
        .string()
        .trim()
        .regex(/^[^\p{Cc}`]+$/u, keys.missing)
        .max(MAX_LENGTH, keys.missing),
    }),
  async handle(context) {
    const { form, services, words } = context
    if (!form.ok) return formView(context, form.messages)
    const key = findKey(context, form.values.setting)
    if (!key || !services.providerKeys.canStore) return formView(context, { setting: [words.admin.keys.unknown] })
    await save(context, form.values.key, key)
    return redirectTo('/admin/providers#try')
  },
})

const removeKeyPage = definePage({
  method: 'POST',
  path: REMOVE_PATH,
  access: 'admin',
  stepUp: '/admin/providers',
  form: () => z.object({ setting: z.string().max(100).catch('') }),
  async handle(context) {
    const { form } = context
    const key = form.ok && findKey(context, form.values.setting)
    if (key) await save(context, undefined, key)
    return redirectTo('/admin/providers#keys')
  },
})

export const providerKeyPages = [saveKeyPage, removeKeyPage]

export function providerKeysSection(context: PageContext): Html {
  const text = context.words.admin.keys
  const keys = context.services.providerKeys.list()
  const columns: Column<ProviderKey>[] = [
    {
      label: text.provider,
      isHeading: true,
      cell: ({ provider, setting }) => html`${provider} <code class="quiet">${setting}</code>`,
    },
    {
      label: text.origin,
      cell: ({ setting, origin }) =>
        origin === 'environment'
          ? text.fromEnvironment
          : html`${text.fromDatabase} ${postForm(context, {
              action: REMOVE_PATH,
              isInline: true,
              body: html`<input type="hidden" name="setting" value="${setting}">${button(text.remove, 'plain')}`,
            })}`,
    },
  ]
  const set = keys.filter(({ origin }) => origin !== undefined)
  return html`<section class="stack" id="keys"><h2>${text.title}</h2><p class="help measure">${text.help}</p>
${set.length > 0 && dataTable(text.title, columns, set)}
${context.services.providerKeys.canStore ? keyForm(context) : notice('partial', text.noSecret)}</section>`
}

function keyForm(context: PageContext, messages: Readonly<Record<string, string[]>> = {}): Html {
  const text = context.words.admin.keys
  const options = context.services.providerKeys
    .list()
    .filter(({ origin }) => origin !== 'environment')
    .map(({ setting, provider }) => ({ value: setting, label: `${provider} (${setting})` }))
  const { submitted } = context
  const body = html`${selectField({ name: 'setting', label: text.provider, value: submitted['setting'], options, errors: messages['setting'] })}
${textField({ name: 'key', type: 'password', label: text.key, help: text.keyHelp, maxlength: MAX_LENGTH, errors: messages['key'] })}
${actions(button(text.save))}`
  return postForm(context, { action: SAVE_PATH, body })
}

/** Without what was pasted. */
const formView = (context: PageContext, messages: Readonly<Record<string, string[]>>) =>
  settingsView(context, '/admin/providers', {
    title: context.words.admin.keys.title,
    content: html`<p><a href="/admin/providers">${context.words.admin.engines.back}</a></p>${keyForm(context, messages)}`,
    status: 400,
    headers: { 'Cache-Control': 'no-store' },
  })
