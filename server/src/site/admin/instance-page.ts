// Administration → Instance: its name, who may search, the operator's contact, and the engines without a key; each with where
// it comes from. And to take the last change of any stored setting back, and to download what is stored.
import { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/words.ts'
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
      contact: oneLine(MAX_CONTACT_LENGTH, words.admin.instance.badContact).optional(),
      keyless: keylessInput,
    }),
  async handle(context) {
    const { form, services } = context
    if (!form.ok) return instanceView(context, { messages: form.messages })
    const { name, access, contact, keyless } = form.values
    const edits = {
      ...identityEdits(context, { name, access }),
      ...editOf(context, 'OPERATOR_CONTACT', contact),
      ...editOf(context, 'KEYLESS_ENGINES', keyless === services.keyless.current ? undefined : keyless),
    }
    try {
      return afterChange(await services.settings.change(actingAccess(context), edits))
    } catch (error) {
      return instanceView(context, { refusal: sentenceOf(error) })
    }
  },
})

const undoAction = definePage({
  method: 'POST',
  path: `${PATH}/undo`,
  access: 'admin',
  stepUp: PATH,
  async handle(context) {
    try {
      return afterChange(await context.services.settings.undo(actingAccess(context)))
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

export const instancePages = [instancePage, saveAction, undoAction, exportPage]

const afterChange = (changed: readonly string[]) =>
  redirectTo(addressOf(PATH, changed.length === 0 ? { done: 'nothing' } : { changed: changed.join(' ').slice(0, 500) }))

const oneLine = (max: number, message: string) => z.string().trim().max(max, message).regex(ONE_LINE, message)

/** The fields that the first run asks for, too. */
export const identityForm = ({ admin: { instance } }: Words) => ({
  name: oneLine(MAX_NAME_LENGTH, instance.badName).optional(),
  access: z.enum(['users', 'public']).optional().catch(undefined),
})

interface Identity {
  name?: string | undefined
  access?: 'users' | 'public' | undefined
}

export function identityEdits(context: PageContext, { name, access }: Identity): Record<string, string | undefined> {
  const { instanceName, isPublic } = context.services
  return {
    ...editOf(context, 'INSTANCE_NAME', name === instanceName ? undefined : name),
    ...editOf(context, 'SITE_ACCESS', access === (isPublic ? 'public' : 'users') ? undefined : access),
  }
}

/** undefined: the form didn't have it, or it is as it was. '' removes it. */
function editOf(
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
      ...text.accesses[value],
      isChosen: value === chosen,
    })),
    help: originText(context, 'SITE_ACCESS'),
    errors: messages['access'],
  })
}`
}

/** As text, with the reason, if the environment sets it. */
function fixedSetting(
  { words, services }: PageContext,
  { setting, label, value }: { setting: string; label: string; value: string },
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
  const { words, services, submitted } = context
  const text = words.admin.instance
  const { settings } = services
  const contact = settings.writtenValue('OPERATOR_CONTACT') ?? ''
  const body = html`${identityFields(context, messages ?? {})}
${
  fixedSetting(context, { setting: 'OPERATOR_CONTACT', label: text.contact, value: contact }) ??
  textField({
    name: 'contact',
    label: text.contact,
    help: contact === '' ? text.contactHelp : `${text.contactHelp} ${originText(context, 'OPERATOR_CONTACT')}`,
    value: submitted['contact'] ?? contact,
    errors: messages?.['contact'],
    optional: words.frame.optional,
    maxlength: MAX_CONTACT_LENGTH,
  })
}
${keylessQuestion(context)}
${actions(button(words.frame.save))}`
  return settingsView(context, PATH, {
    title: text.title,
    content: html`${note}${refusal !== undefined && notice('bad', refusal)}
<p class="measure">${text.intro}</p>
${postForm(context, { action: PATH, body })}
<section class="stack" id="stored"><h2>${text.stored}</h2><p class="measure">${settings.version === 0 ? text.nothingStored : text.storedHelp}</p>
${settings.version > 0 && actions(postForm(context, { action: `${PATH}/undo`, isInline: true, body: button(text.undo, 'plain') }), buttonLink(text.export, `${PATH}/export`))}</section>`,
    status: messages || refusal !== undefined ? 400 : 200,
  })
}
