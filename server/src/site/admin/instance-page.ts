// Administration → Instance: its name, who may search, the operator's contact, and the engines without a key; each with where
// it comes from. And to download what is stored.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { FieldMessages } from '../../errors.ts'
import type { KeylessSetting } from '../../settings/keyless-setting.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { actions, button, buttonLink, choiceField, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { sentenceOf } from './engine-pages.ts'
import { originText } from './engine-rows.ts'
import { keylessInput, keylessQuestion } from './keyless-choice.ts'

export interface InstancePageParts {
  accounts: Accounts
  keyless: KeylessSetting
  settings: SettingsDesk
}

const PATH = '/admin/instance'
const MAX_NAME_LENGTH = 40
const MAX_CONTACT_LENGTH = 200
/** One line that can be quoted in an env file. */
const ONE_LINE = /^[^\p{Cc}`]*$/u

const InstanceQuery = z.object({
  /** The settings that a form has just changed. */
  changed: z
    .string()
    .regex(/^[A-Z\d_ ]{1,500}$/)
    .optional()
    .catch(undefined),
  done: z.enum(['nothing']).optional().catch(undefined),
})

const instancePage = ({ keyless, settings }: InstancePageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'admin',
    query: InstanceQuery,
    handle(context) {
      const text = context.words.admin.instance
      const { changed, done } = context.query
      const note = changed
        ? notice('good', text.changed({ settings: changed.split(' ').join(', ') }))
        : done && notice('plain', text.nothing)
      return instanceView({ keyless, settings }, context, { note })
    },
  })

const saveForm = (words: Words) =>
  z.object({
    ...identityForm(words),
    keyless: keylessInput,
  })

const saveAction = (parts: InstancePageParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'admin',
    stepUp: PATH,
    form: saveForm,
    async handle(context) {
      const { form } = context
      if (!form.ok) return instanceView(parts, context, { messages: form.messages })
      const { keyless, ...identity } = form.values
      const edits = {
        ...identityEdits(parts.settings, context, identity),
        ...editOf(parts.settings, 'KEYLESS_ENGINES', keyless === parts.keyless.current ? undefined : keyless),
      }
      try {
        return afterChange(await parts.settings.change(actingAccess(parts.accounts, context), edits))
      } catch (error) {
        return instanceView(parts, context, { refusal: sentenceOf(error) })
      }
    },
  })

/** For whoever takes the settings to files, or to another machine. */
const exportPage = ({ settings }: InstancePageParts) =>
  definePage({
    method: 'GET',
    path: `${PATH}/export`,
    access: 'admin',
    stepUp: `${PATH}/export`,
    handle: () => ({
      contentType: 'text/plain; charset=utf-8',
      content: settings.exportFile(),
      headers: { 'Content-Disposition': 'attachment; filename="bowerbird.env"', 'Cache-Control': 'no-store' },
    }),
  })

export const instancePages = (parts: InstancePageParts): Page[] => [
  instancePage(parts),
  saveAction(parts),
  exportPage(parts),
]

const afterChange = (changed: readonly string[]) =>
  redirectTo(addressOf(PATH, changed.length === 0 ? { done: 'nothing' } : { changed: changed.join(' ').slice(0, 500) }))

export const oneLine = (max: number, message: string) => z.string().trim().max(max, message).regex(ONE_LINE, message)

/** The fields that the first run asks for, too. */
export const identityForm = ({ admin: { instance } }: Words) => ({
  name: oneLine(MAX_NAME_LENGTH, instance.badName).optional(),
  access: z.enum(['users', 'public']).optional().catch(undefined),
  contact: oneLine(MAX_CONTACT_LENGTH, instance.badContact).optional(),
})

interface Identity {
  name?: string | undefined
  access?: 'users' | 'public' | undefined
  contact?: string | undefined
}

export function identityEdits(
  settings: SettingsDesk,
  context: PageContext,
  { name, access, contact }: Identity,
): Record<string, string | undefined> {
  const { instanceName, isPublic } = context
  return {
    ...editOf(settings, 'INSTANCE_NAME', name === instanceName ? undefined : name),
    ...editOf(settings, 'SITE_ACCESS', access === (isPublic ? 'public' : 'users') ? undefined : access),
    ...editOf(settings, 'OPERATOR_CONTACT', contact),
  }
}

/** undefined: the form didn't have it, or it is as it was. '' removes it. */
export function editOf(
  settings: SettingsDesk,
  setting: string,
  value: string | undefined,
): Record<string, string | undefined> {
  const { originOf, writtenValue } = settings
  if (value === undefined || originOf(setting) === 'environment' || value === (writtenValue(setting) ?? '')) return {}
  return { [setting]: value === '' ? undefined : value }
}

export function identityFields(settings: SettingsDesk, context: PageContext, messages: FieldMessages): Html {
  const { words, isPublic, instanceName, submitted } = context
  const text = words.admin.instance
  const present = isPublic ? 'public' : 'users'
  const chosen = submitted['access'] ?? present
  const contact = settings.writtenValue('OPERATOR_CONTACT') ?? ''
  // Below the last choice, where it comes from would read as if it were said of that choice.
  const accessHelp = (value: typeof present): string =>
    value === present
      ? `${text.accesses[value].help} ${originText(settings, context, 'SITE_ACCESS')}`
      : text.accesses[value].help
  return html`${
    fixedSetting(settings, context, { setting: 'INSTANCE_NAME', label: text.name, value: instanceName }) ??
    textField({
      name: 'name',
      label: text.name,
      help: `${text.nameHelp} ${originText(settings, context, 'INSTANCE_NAME')}`,
      value: submitted['name'] ?? instanceName,
      errors: messages['name'],
      maxlength: MAX_NAME_LENGTH,
    })
  }
${
  fixedSetting(settings, context, {
    setting: 'SITE_ACCESS',
    label: text.access,
    value: text.accesses[present].label,
  }) ??
  choiceField({
    name: 'access',
    type: 'radio',
    label: text.access,
    options: (['users', 'public'] as const).map((value) => ({
      value,
      label: text.accesses[value].label,
      help: accessHelp(value),
      isChosen: value === chosen,
    })),
    errors: messages['access'],
  })
}
${
  fixedSetting(settings, context, { setting: 'OPERATOR_CONTACT', label: text.contact, value: contact }) ??
  textField({
    name: 'contact',
    label: text.contact,
    help:
      contact === '' ? text.contactHelp : `${text.contactHelp} ${originText(settings, context, 'OPERATOR_CONTACT')}`,
    value: submitted['contact'] ?? contact,
    errors: messages['contact'],
    optional: words.frame.optional,
    maxlength: MAX_CONTACT_LENGTH,
  })
}`
}

/** As text, with the reason, if the environment sets it. */
export function fixedSetting(
  settings: SettingsDesk,
  { words }: PageContext,
  { setting, label, value }: { setting: string; label: string; value: Piece },
): Html | undefined {
  if (settings.originOf(setting) !== 'environment') return undefined
  return html`<div class="field"><p class="field-name">${label}</p><p>${value}<br><span class="quiet">${words.admin.engines.fromEnvironment({ setting })}</span></p></div>`
}

interface InstanceState {
  note?: Html | undefined
  messages?: FieldMessages
  refusal?: string
}

function instanceView(
  { keyless, settings }: Pick<InstancePageParts, 'keyless' | 'settings'>,
  context: PageContext,
  { note, messages, refusal }: InstanceState,
): View {
  const { words } = context
  const text = words.admin.instance
  const body = html`${identityFields(settings, context, messages ?? {})}
${keylessQuestion(keyless, context)}
${actions(button(words.frame.save))}`
  return settingsView(context, PATH, {
    title: text.title,
    content: html`${note}${refusal !== undefined && notice('bad', refusal)}
<p class="measure">${text.intro}</p>
${postForm(context, { action: PATH, body })}
${storedSection(settings, context)}`,
    status: messages || refusal !== undefined ? 400 : 200,
  })
}

function storedSection(settings: SettingsDesk, context: PageContext): Html {
  const text = context.words.admin.instance
  const hasChanges = settings.version > 0
  return html`<section class="stack" id="stored"><h2>${text.stored}</h2><p class="measure">${hasChanges ? text.storedHelp : text.nothingStored}</p>
${hasChanges && actions(buttonLink(text.export, `${PATH}/export`))}</section>`
}
