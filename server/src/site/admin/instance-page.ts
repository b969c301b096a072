// Administration → Instance: its name, who may search, the operator's contact, and the engines without a key; each with where
// it comes from. And to download what is stored.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { actions, button, buttonLink, choiceField, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { sentenceOf } from './engine-pages.ts'
import { originText } from './engine-rows.ts'
import { keylessInput, keylessQuestion } from './keyless-choice.ts'

const PATH = '/admin/instance'
const MAX_NAME_LENGTH = 40
const MAX_CONTACT_LENGTH = 200
/** One line that can be quoted in an env file. */
const ONE_LINE = /^[^\p{Cc}`]*$/u

const instancePage = definePage({
  method: 'GET',
  path: PATH,
  access: 'admin',
  query: z.object({
    /** The settings that a form has just changed. */
    changed: z
      .string()
      .regex(/^[A-Z\d_ ]{1,500}$/)
      .optional()
      .catch(undefined),
    done: z.enum(['nothing']).optional().catch(undefined),
  }),
  handle(context) {
    const text = context.words.admin.instance
    const { changed, done } = context.query
    const note = changed
      ? notice('good', text.changed({ settings: changed.split(' ').join(', ') }))
      : done && notice('plain', text.nothing)
    return instanceView(context, { note })
  },
})

const saveAction = definePage({
  method: 'POST',
  path: PATH,
  access: 'admin',
  stepUp: PATH,
  form: (words) =>
    z.object({
      ...identityForm(words),
      keyless: keylessInput,
    }),
  async handle(context) {
    const { form, services } = context
    if (!form.ok) return instanceView(context, { messages: form.messages })
    const { keyless, ...identity } = form.values
    const edits = {
      ...identityEdits(context, identity),
      ...editOf(context, 'KEYLESS_ENGINES', keyless === services.keyless.current ? undefined : keyless),
    }
    try {
      return afterChange(await services.settings.change(actingAccess(context), edits))
    } catch (error) {
      return instanceView(context, { refusal: sentenceOf(error) })
    }
  },
})

/** For whoever takes the settings to files, or to another machine. */
const exportPage = definePage({
  method: 'GET',
  path: `${PATH}/export`,
  access: 'admin',
  stepUp: `${PATH}/export`,
  handle: ({ services }) => ({
    contentType: 'text/plain; charset=utf-8',
    content: services.settings.exportFile(),
    headers: { 'Content-Disposition': 'attachment; filename="bowerbird.env"', 'Cache-Control': 'no-store' },
  }),
})

export const instancePages = [instancePage, saveAction, exportPage]

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
  context: PageContext,
  { name, access, contact }: Identity,
): Record<string, string | undefined> {
  const { instanceName, isPublic } = context.services
  return {
    ...editOf(context, 'INSTANCE_NAME', name === instanceName ? undefined : name),
    ...editOf(context, 'SITE_ACCESS', access === (isPublic ? 'public' : 'users') ? undefined : access),
    ...editOf(context, 'OPERATOR_CONTACT', contact),
  }
}

/** undefined: the form didn't have it, or it is as it was. '' removes it. */
export function editOf(
  { services }: PageContext,
  setting: string,
  value: string | undefined,
): Record<string, string | undefined> {
  const { originOf, writtenValue } = services.settings
  if (value === undefined || originOf(setting) === 'environment' || value === (writtenValue(setting) ?? '')) return {}
  return { [setting]: value === '' ? undefined : value }
}

export function identityFields(context: PageContext, messages: FieldMessages): Html {
  const { words, services, submitted } = context
  const text = words.admin.instance
  const present = services.isPublic ? 'public' : 'users'
  const chosen = submitted['access'] ?? present
  const contact = services.settings.writtenValue('OPERATOR_CONTACT') ?? ''
  // Below the last choice, where it comes from would read as if it were said of that choice.
  const accessHelp = (value: typeof present): string =>
    value === present ? `${text.accesses[value].help} ${originText(context, 'SITE_ACCESS')}` : text.accesses[value].help
  return html`${
    fixedSetting(context, { setting: 'INSTANCE_NAME', label: text.name, value: services.instanceName }) ??
    textField({
      name: 'name',
      label: text.name,
      help: `${text.nameHelp} ${originText(context, 'INSTANCE_NAME')}`,
      value: submitted['name'] ?? services.instanceName,
      errors: messages['name'],
      maxlength: MAX_NAME_LENGTH,
    })
  }
${
  fixedSetting(context, { setting: 'SITE_ACCESS', label: text.access, value: text.accesses[present].label }) ??
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
  fixedSetting(context, { setting: 'OPERATOR_CONTACT', label: text.contact, value: contact }) ??
  textField({
    name: 'contact',
    label: text.contact,
    help: contact === '' ? text.contactHelp : `${text.contactHelp} ${originText(context, 'OPERATOR_CONTACT')}`,
    value: submitted['contact'] ?? contact,
    errors: messages['contact'],
    optional: words.frame.optional,
    maxlength: MAX_CONTACT_LENGTH,
  })
}`
}

/** As text, with the reason, if the environment sets it. */
export function fixedSetting(
  { words, services }: PageContext,
  { setting, label, value }: { setting: string; label: string; value: Piece },
): Html | undefined {
  if (services.settings.originOf(setting) !== 'environment') return undefined
  return html`<div class="field"><p class="field-name">${label}</p><p>${value}<br><span class="quiet">${words.admin.engines.fromEnvironment({ setting })}</span></p></div>`
}

interface InstanceState {
  note?: Html | undefined
  messages?: FieldMessages
  refusal?: string
}

function instanceView(context: PageContext, { note, messages, refusal }: InstanceState): View {
  const { words } = context
  const text = words.admin.instance
  const body = html`${identityFields(context, messages ?? {})}
${keylessQuestion(context)}
${actions(button(words.frame.save))}`
  return settingsView(context, PATH, {
    title: text.title,
    content: html`${note}${refusal !== undefined && notice('bad', refusal)}
<p class="measure">${text.intro}</p>
${postForm(context, { action: PATH, body })}
${storedSection(context)}`,
    status: messages || refusal !== undefined ? 400 : 200,
  })
}

function storedSection(context: PageContext): Html {
  const text = context.words.admin.instance
  const hasChanges = context.services.settings.version > 0
  return html`<section class="stack" id="stored"><h2>${text.stored}</h2><p class="measure">${hasChanges ? text.storedHelp : text.nothingStored}</p>
${hasChanges && actions(buttonLink(text.export, `${PATH}/export`))}</section>`
}
