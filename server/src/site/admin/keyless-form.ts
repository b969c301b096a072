// To whom queries go without a key: the question, as the set-up page and the Providers page ask it.
import { KEYLESS_CHOICES, type Keyless } from '../../search/keyless-choice.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { choiceField } from '../parts/form.ts'

/** `chosen`: what is marked. If the environment has decided, only that is said. */
export function keylessQuestion({ words, services, locale }: PageContext, chosen: Keyless): Html {
  const text = words.accounts.setup.keyless
  const { isFixed, current, names } = services.keyless
  const helpOf = (choice: Keyless) => text.choices[choice].help(new Intl.ListFormat(locale).format(names[choice]))
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
