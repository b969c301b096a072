// A password or passphrase with its strength, and the buttons below it. The one that the server made is only for
// browsers without script: with it, `assets/tools/passwords.js` makes another, which nobody else has seen. If it can't
// fetch the words for one, it shows the server's.
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { copyButton } from '../parts/notice.ts'

interface Made {
  made: { text: string; bits: number } | undefined
  /** Why there is none. */
  none?: string
}

export function madeText({ words: { tools }, locale }: PageContext, { made, none = '' }: Made): Html {
  const strength = made && tools.strength({ bits: new Intl.NumberFormat(locale).format(Math.floor(made.bits)) })
  return html`<p class="tool-code" dir="ltr" data-value><noscript>${made?.text}</noscript></p>
<p class="answer-note tool-note" data-strength="${tools.strength({ bits: '{bits}' })}" data-none="${none}"><noscript>${strength ?? none}</noscript></p>`
}

/** The form's button, and one that copies what was made. */
export const makeAndCopy = ({ words: { tools, frame } }: PageContext): Html =>
  html`<div class="actions"><button type="submit" class="button button-primary">${tools.another}</button>
${copyButton('', frame)}</div>`

/** A whole number within its bounds; what isn't a number is the default. */
export function readCount(
  text: string,
  { least, most, otherwise }: Record<'least' | 'most' | 'otherwise', number>,
): number {
  return /^\d{1,4}$/.test(text) ? Math.min(most, Math.max(least, Number(text))) : otherwise
}
