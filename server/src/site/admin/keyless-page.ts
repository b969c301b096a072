// The setting that decides which engines may be used without an API key, for Administration → Providers and the set-up
// page. It decides who sees queries, so it asks for the password again and, like every change of a setting, is a security
// event.
import { z } from 'zod'
import { KEYLESS_CHOICES, type KeylessChoice } from '../../settings/keyless-setting.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo } from '../http/page.ts'
import { actions, button, choiceField, postForm } from '../parts/form.ts'

const KEYLESS_PATH = '/admin/providers/keyless'

export const keylessPage = definePage({
  method: 'POST',
  path: KEYLESS_PATH,
  access: 'admin',
  stepUp: '/admin/providers',
  form: () => z.object({ keyless: z.enum(KEYLESS_CHOICES).optional().catch(undefined) }),
  async handle(context) {
    const { form, viewer, services } = context
    const choice = form.ok ? form.values.keyless : undefined
    if (choice && !services.keyless.isFixed) await chooseKeyless(context, choice, viewer.userId)
    return redirectTo('/admin/providers')
  },
})

/** `userId`: whose choice it is. */
export async function chooseKeyless(context: PageContext, choice: KeylessChoice, userId?: string): Promise<void> {
  const { ip, services } = context
  const by = services.accounts.accessBy({ address: ip, ...(userId !== undefined && { userId }) })
  await services.keyless.choose(choice, by)
}

export function keylessSection(context: PageContext): Html {
  const { words, services } = context
  const text = words.accounts.setup.keyless
  const { isFixed, current } = services.keyless
  const question = keylessQuestion(context, current)
  return html`<section class="stack" id="keyless"><h2>${text.title}</h2>
${isFixed ? question : postForm(context, { action: KEYLESS_PATH, body: html`${question}${actions(button(text.save))}` })}</section>`
}

/** `chosen`: the option to select. If an environment variable fixes the choice, only that one is shown, as text. */
export function keylessQuestion({ words, services, locale }: PageContext, chosen: KeylessChoice): Html {
  const text = words.accounts.setup.keyless
  const { isFixed, current, names } = services.keyless
  const helpOf = (choice: KeylessChoice) => text.choices[choice].help(new Intl.ListFormat(locale).format(names[choice]))
  if (isFixed) return html`<p>${text.fixed(current)} ${helpOf(current)}</p>`
  return choiceField({
    name: 'keyless',
    type: 'radio',
    label: text.question,
    options: KEYLESS_CHOICES.map((value) => ({
      value,
      label: text.choices[value].label,
      help: helpOf(value),
      isChosen: value === chosen,
    })),
  })
}
