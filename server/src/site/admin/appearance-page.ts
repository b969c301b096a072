// Administration → Appearance: what makes the website the operator's own. One form is one change of the settings.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { FieldMessages } from '../../errors.ts'
import {
  MAX_LINKS,
  MAX_TEXT_LENGTH,
  MAX_WELCOME_LENGTH,
  parseAccent,
  parseLinks,
  parseText,
} from '../../settings/appearance.ts'
import { readLogo } from '../../settings/logo-file.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { accentColours } from '../appearance/accent-colours.ts'
import { logoPath } from '../appearance/appearance-routes.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { actions, button, checkbox, fileField, postForm, textArea, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { sentenceOf } from './engine-pages.ts'
import { originText } from './engine-rows.ts'
import { editOf, fixedSetting, oneLine } from './instance-page.ts'

export interface AppearancePageParts {
  accounts: Accounts
  settings: SettingsDesk
}

const PATH = '/admin/appearance'
/** A logo, two texts of the greatest length in any script, and the rest. */
const MAX_FORM_BYTES = 250_000
const MAX_ACCENT_LENGTH = 7
const MAX_LINKS_LENGTH = 2_000
/** A setting can't have one: see `settings/env-file.ts`. */
const BACKTICK = '`'

const AppearanceQuery = z.object({ done: z.enum(['saved', 'nothing']).optional().catch(undefined) })

const appearancePage = ({ settings }: AppearancePageParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'admin',
    query: AppearanceQuery,
    handle(context) {
      const { appearance, admin } = context.words
      const { done } = context.query
      const note = done === 'saved' ? notice('good', appearance.saved) : done && notice('plain', admin.instance.nothing)
      return appearanceView(settings, context, { note })
    },
  })

const saveAction = ({ accounts, settings }: AppearancePageParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'admin',
    stepUp: PATH,
    takesFiles: true,
    maxFormBytes: MAX_FORM_BYTES,
    form: appearanceForm,
    async handle(context) {
      const { form } = context
      if (!form.ok) return appearanceView(settings, context, { messages: form.messages })
      const { logo, no_logo: isWithoutLogo, accent, welcome, links, imprint, privacy } = form.values
      const edits = {
        ...editOf(settings, 'INSTANCE_LOGO', isWithoutLogo ? '' : logo || undefined),
        ...editOf(settings, 'INSTANCE_ACCENT', accent),
        ...editOf(settings, 'INSTANCE_WELCOME', welcome),
        ...editOf(settings, 'INSTANCE_LINKS', links),
        ...editOf(settings, 'INSTANCE_IMPRINT', imprint),
        ...editOf(settings, 'INSTANCE_PRIVACY', privacy),
      }
      try {
        const changed = await settings.change(actingAccess(accounts, context), edits)
        return redirectTo(addressOf(PATH, { done: changed.length > 0 ? 'saved' : 'nothing' }))
      } catch (error) {
        return appearanceView(settings, context, { refusal: sentenceOf(error) })
      }
    },
  })

export const appearancePages = (parts: AppearancePageParts): Page[] => [appearancePage(parts), saveAction(parts)]

/** A field that the environment sets isn't in the form. */
function appearanceForm({ appearance: text }: Words) {
  const page = z
    .string()
    .max(2 * MAX_TEXT_LENGTH)
    .transform((written) => written.replaceAll('\r\n', '\n').trim())
    .refine((written) => parseText(written) !== undefined && !written.includes(BACKTICK), text.badPage)
    .optional()
  return z.object({
    logo: z
      .string()
      .superRefine((file, context) => {
        const verdict = file === '' ? undefined : readLogo(file)
        if (verdict?.ok === false) context.addIssue({ code: 'custom', message: text.logoFaults[verdict.fault] })
      })
      .optional(),
    no_logo: z
      .string()
      .optional()
      .transform((value) => value !== undefined),
    accent: z
      .string()
      .trim()
      .refine((colour) => colour === '' || parseAccent(colour) !== undefined, text.badAccent)
      .optional(),
    welcome: oneLine(MAX_WELCOME_LENGTH, text.badWelcome).optional(),
    links: z
      .string()
      .max(MAX_LINKS_LENGTH, text.badLinks)
      .transform((lines) => linesOf(lines).join(' | '))
      .refine((written) => parseLinks(written) !== undefined && !written.includes(BACKTICK), text.badLinks)
      .optional(),
    imprint: page,
    privacy: page,
  })
}

const linesOf = (written: string): string[] =>
  written
    .split(/[|\n]/)
    .map((line) => line.trim())
    .filter(Boolean)

interface AppearanceState {
  note?: Html | undefined
  messages?: FieldMessages
  refusal?: string
}

function appearanceView(
  settings: SettingsDesk,
  context: PageContext,
  { note, messages = {}, refusal }: AppearanceState,
): View {
  const { words } = context
  const isWrong = Object.keys(messages).length > 0
  const body = html`${logoField(settings, context, messages)}
${accentField(settings, context, messages)}
${settingField(settings, context, messages, { name: 'welcome', setting: 'INSTANCE_WELCOME' })}
${settingField(settings, context, messages, { name: 'links', setting: 'INSTANCE_LINKS', rows: MAX_LINKS })}
${settingField(settings, context, messages, { name: 'imprint', setting: 'INSTANCE_IMPRINT', rows: 8 })}
${settingField(settings, context, messages, { name: 'privacy', setting: 'INSTANCE_PRIVACY', rows: 8 })}
${actions(button(words.frame.save))}`
  return settingsView(context, PATH, {
    title: words.appearance.title,
    content: html`${note}${isWrong && notice('bad', words.frame.formHasMistakes)}${refusal !== undefined && notice('bad', refusal)}
<p class="measure">${words.appearance.intro}</p>
${postForm(context, { action: PATH, body, attributes: html` enctype="multipart/form-data"` })}`,
    status: isWrong || refusal !== undefined ? 400 : 200,
  })
}

function logoField(settings: SettingsDesk, context: PageContext, messages: FieldMessages): Html {
  const { words, appearance } = context
  const { logo: label, logoHelp, noLogo } = words.appearance
  const { logo } = appearance
  const picture = logo && html`<img class="logo-preview" src="${logoPath(logo)}" alt="">`
  const field = fileField({
    name: 'logo',
    label,
    accept: 'image/png,image/webp,image/svg+xml',
    help: html`${logoHelp}${logo && html` ${originText(settings, context, 'INSTANCE_LOGO')}`}`,
    errors: messages['logo'],
    optional: words.frame.optional,
  })
  return (
    fixedSetting(settings, context, { setting: 'INSTANCE_LOGO', label, value: picture }) ??
    html`${picture}${field}${logo && checkbox({ name: 'no_logo', label: noLogo, isChosen: false })}`
  )
}

/** Says which colours come of it. */
function accentField(settings: SettingsDesk, context: PageContext, messages: FieldMessages): Html {
  const { words, appearance, submitted } = context
  const { accent: label, accentHelp, accentBecomes } = words.appearance
  const { accent } = appearance
  const becomes =
    accent !== undefined &&
    accentBecomes({ light: `#${accentColours(accent, 'light').rest}`, dark: `#${accentColours(accent, 'dark').rest}` })
  const value = accent === undefined ? '' : `#${accent}`
  return (
    fixedSetting(settings, context, { setting: 'INSTANCE_ACCENT', label, value: html`${value} ${becomes}` }) ??
    textField({
      name: 'accent',
      label,
      help: html`${accentHelp} ${becomes}`,
      value: submitted['accent'] ?? value,
      errors: messages['accent'],
      optional: words.frame.optional,
      maxlength: MAX_ACCENT_LENGTH,
    })
  )
}

interface SettingField {
  name: 'welcome' | 'links' | 'imprint' | 'privacy'
  setting: string
  /** undefined: one line. */
  rows?: number
}

function settingField(
  settings: SettingsDesk,
  context: PageContext,
  messages: FieldMessages,
  { name, setting, rows }: SettingField,
): Html {
  const { words, submitted } = context
  const { label, help } = words.appearance.fields[name]
  const written = settings.writtenValue(setting) ?? ''
  const shown = name === 'links' ? linesOf(written).join('\n') : written
  const parts = {
    name,
    label,
    help,
    value: submitted[name] ?? shown,
    errors: messages[name],
    optional: words.frame.optional,
  }
  return (
    fixedSetting(settings, context, { setting, label, value: shown }) ??
    (rows === undefined ? textField({ ...parts, maxlength: MAX_WELCOME_LENGTH }) : textArea({ ...parts, rows }))
  )
}
