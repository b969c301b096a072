// The setting that decides which engines may be used without an API key, for Administration → Engines and → Instance, and for
// the first run. It decides who sees queries, so its forms ask for the password again.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { KeylessSetting } from '../../settings/keyless-setting.ts'
import { KEYLESS_CHOICES, type KeylessChoice } from '../../settings/keyless-setting.ts'
import type { SettingsDesk } from '../../settings/settings-desk.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo, type Viewer } from '../http/page.ts'
import { actions, button, choiceField, postForm } from '../parts/form.ts'

export interface KeylessChoiceParts {
  accounts: Accounts
  keyless: KeylessSetting
  settings: SettingsDesk
}

interface KeylessPaths {
  /** Of the form. */
  path: string
  /** Of the page that has the form, and where the administrator goes from there. */
  from: string
  next: string
}

const keylessPageAtForm = () => z.object({ keyless: keylessInput })

export const keylessPageAt = (parts: KeylessChoiceParts, { path, from, next }: KeylessPaths) =>
  definePage({
    method: 'POST',
    path,
    access: 'admin',
    stepUp: from,
    form: keylessPageAtForm,
    async handle(context) {
      await chooseKeyless(parts, context, context.form.ok ? context.form.values.keyless : undefined)
      return redirectTo(next)
    },
  })

export const keylessInput = z.enum(KEYLESS_CHOICES).optional().catch(undefined)

async function chooseKeyless(
  { accounts, keyless, settings }: KeylessChoiceParts,
  context: PageContext<unknown, unknown, Viewer>,
  choice: KeylessChoice | undefined,
): Promise<void> {
  if (choice && !keyless.isFixed) await settings.change(actingAccess(accounts, context), { KEYLESS_ENGINES: choice })
}

export function keylessSection(keyless: KeylessSetting, context: PageContext, path: string): Html {
  const text = context.words.admin.keyless
  const question = keylessQuestion(keyless, context)
  return html`<section class="stack" id="keyless"><h2>${text.title}</h2>
${keyless.isFixed ? question : postForm(context, { action: path, body: html`${question}${actions(button(text.save))}` })}</section>`
}

/** If an environment variable fixes the choice, only that one is shown, as text. */
export function keylessQuestion(keyless: KeylessSetting, { words, locale }: PageContext): Html {
  const text = words.admin.keyless
  const { isFixed, current, names } = keyless
  const helpOf = (choice: KeylessChoice): string =>
    choice === 'none'
      ? text.choices.none.help
      : text.choices[choice].help({ names: new Intl.ListFormat(locale).format(names[choice]) })
  if (isFixed) return html`<p>${text.fixed({ choice: current })} ${helpOf(current)}</p>`
  return choiceField({
    name: 'keyless',
    type: 'radio',
    label: text.question,
    options: KEYLESS_CHOICES.map((value) => ({
      value,
      label: text.choices[value].label,
      help: helpOf(value),
      isChosen: value === current,
    })),
  })
}
