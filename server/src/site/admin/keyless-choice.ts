// The setting that decides which engines may be used without an API key, for Administration → Engines and → Instance, and for
// the first run. It decides who sees queries, so its forms ask for the password again.
import { z } from 'zod'
import { KEYLESS_CHOICES, type KeylessChoice } from '../../settings/keyless-setting.ts'
import { actingAccess } from '../accounts/account-forms.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo } from '../http/page.ts'
import { actions, button, choiceField, postForm } from '../parts/form.ts'
import type { Viewer } from '../site-services.ts'

interface KeylessPaths {
  /** Of the form. */
  path: string
  /** Of the page that has the form, and where the administrator goes from there. */
  from: string
  next: string
}

export const keylessPageAt = ({ path, from, next }: KeylessPaths) =>
  definePage({
    method: 'POST',
    path,
    access: 'admin',
    stepUp: from,
    form: () => z.object({ keyless: keylessInput }),
    async handle(context) {
      await chooseKeyless(context, context.form.ok ? context.form.values.keyless : undefined)
      return redirectTo(next)
    },
  })

export const keylessInput = z.enum(KEYLESS_CHOICES).optional().catch(undefined)

async function chooseKeyless(
  context: PageContext<unknown, unknown, Viewer>,
  choice: KeylessChoice | undefined,
): Promise<void> {
  const { keyless, settings } = context.services
  if (choice && !keyless.isFixed) await settings.change(actingAccess(context), { KEYLESS_ENGINES: choice })
}

export function keylessSection(context: PageContext, path: string): Html {
  const text = context.words.admin.keyless
  const question = keylessQuestion(context)
  return html`<section class="stack" id="keyless"><h2>${text.title}</h2>
${context.services.keyless.isFixed ? question : postForm(context, { action: path, body: html`${question}${actions(button(text.save))}` })}</section>`
}

/** If an environment variable fixes the choice, only that one is shown, as text. */
export function keylessQuestion({ words, services, locale }: PageContext): Html {
  const text = words.admin.keyless
  const { isFixed, current, names } = services.keyless
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
