// The question which engines may be used without an API key, for the set-up page and the Providers page.
import { KEYLESS_CHOICES, type Keyless } from '../../search/keyless-setting.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { choiceField } from '../parts/form.ts'

/** `chosen`: the selected option. If the environment sets it, shows only that choice. */
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
