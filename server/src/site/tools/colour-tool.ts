// The colour picker: the browser's own, or a colour in any notation, and the same colour in the others. Two forms, so that
// without script it is clear which of the two fields counts.
import { describeAnyColour } from '@bowerbird/answers/text/colour.ts'
import { html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { copyButton } from '../parts/notice.ts'
import { colourNote } from '../search/instant-parts.ts'
import { output, sentence } from './converter-parts.ts'
import { defineTool, pathOf } from './define-tool.ts'

const NAME = 'colour'
const MAX_COLOUR_LENGTH = 80
/** The blue of the website's own mark. */
const USUAL = '#1f47c4'

export const colourTool = defineTool({
  name: NAME,
  title: ({ converters }) => converters.colour.title,
  summary: ({ converters }) => converters.colour.summary,
  calls: {
    en: [
      'colour picker',
      'color picker',
      'hex color picker',
      'hex colour picker',
      'rgb color picker',
      'colour picker online',
      'color picker online',
    ],
    fr: ['sélecteur de couleurs', 'sélecteur de couleur', 'nuancier hexadécimal'],
    de: ['farbwähler', 'farbauswahl', 'farbpicker', 'color picker'],
    es: ['selector de color', 'selector de colores'],
    it: ['selettore di colori', 'selettore colore', 'selettore colori'],
    pt: ['seletor de cores', 'seletor de cor'],
    nl: ['kleurkiezer', 'kleurenkiezer'],
    pl: ['próbnik kolorów', 'wybór koloru'],
  },
  fields: ['colour'],
  quota: 'suggestion',
  script: 'converter',
  async view(context, { colour }) {
    const words = context.words.converters.colour
    const typed = (colour || USUAL).slice(0, MAX_COLOUR_LENGTH).trim()
    const found = await describeAnyColour(typed)
    const action = pathOf({ name: NAME })
    const show = html`<button type="submit" class="button button-plain needless-with-script">${words.show}</button>`
    return html`<div class="colour-forms"><form method="get" action="${action}" data-converter="input"><div class="field"><label for="tool-pick">${words.pick}</label><input id="tool-pick" name="colour" type="color" value="${(found?.hex ?? USUAL).slice(0, 7)}"></div>${show}</form>
<form method="get" action="${action}" data-converter="input"><div class="field"><label for="tool-colour">${words.write}</label><input id="tool-colour" name="colour" type="text" value="${typed}" maxlength="${MAX_COLOUR_LENGTH}" required dir="ltr" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="tool-colour-help"></div>${show}</form></div>
<p class="help" id="tool-colour-help">${words.help}</p>
${output(found ? shownColour(context, found) : sentence(words.notColour))}`
  },
})

type Described = NonNullable<Awaited<ReturnType<typeof describeAnyColour>>>

function shownColour({ words, locale }: PageContext, colour: Described): Piece {
  const { hex, forms, ...contrast } = colour
  const { answers, converters, frame } = words
  const ratio = (number: number) => `${new Intl.NumberFormat(locale).format(number)} : 1`
  const notations = [
    ['HEX', hex],
    ['RGB', forms.rgb],
    ['HSL', forms.hsl],
    ['OKLCH', forms.oklch],
  ] as const
  const rows = notations.map(
    ([label, value]) =>
      html`<div><dt>${label}</dt><dd><code dir="ltr">${value}</code>${copyButton(value, frame, converters.colour.copy({ form: label }))}</dd></div>`,
  )
  const contrasts = [
    [answers.onWhite, contrast.contrast_with_white],
    [answers.onBlack, contrast.contrast_with_black],
  ] as const
  return html`<p class="answer-note">${colourNote(colour)}</p><dl class="notations">${rows}${contrasts.map(
    ([label, number]) => html`<div><dt>${label}</dt><dd><bdi dir="ltr">${ratio(number)}</bdi></dd></div>`,
  )}</dl>`
}
