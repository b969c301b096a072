// QR codes, drawn by the server. The text is sent in the body of a form and is in no URL: it may be the password of a
// network. The code is black on white in every theme, since that is what cameras read.
import { drawQrCode } from '@bowerbird/answers/text/qr-code.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { postForm, textArea } from '../parts/form.ts'
import { defineTool } from './define-tool.ts'

/** More fits into a code, but few cameras read it. */
const MAX_BYTES = 1_000

export const qrCodeTool = defineTool({
  name: 'qr-code',
  title: ({ tools }) => tools.qrCode.title,
  summary: ({ tools }) => tools.qrCode.summary,
  calls: {
    en: ['qr code generator', 'qr generator', 'qr code maker', 'qr maker', 'generate qr code', 'create qr code'],
    fr: ['générateur de qr code', 'générateur qr code', 'générateur de code qr', 'créer un qr code'],
    de: ['qr-code-generator', 'qr-code generator', 'qr-code erstellen', 'qr code erstellen'],
    es: ['generador de códigos qr', 'generador de qr', 'generador qr', 'crear código qr', 'crear qr'],
    it: ['generatore di qr code', 'generatore qr code', 'generatore di codici qr', 'creare qr code'],
    pt: ['gerador de qr code', 'gerador qr code', 'gerador de código qr', 'criar qr code'],
    nl: ['qr-code maken', 'qr code maken', 'qr-codegenerator'],
    pl: ['generator kodów qr', 'generator qr'],
  },
  fields: ['text'],
  method: 'POST',
  quota: 'search',
  async view(context, { text }) {
    const { tools } = context.words
    const content = text.replaceAll('\r\n', '\n').trim()
    const isTooLong = Buffer.byteLength(content) > MAX_BYTES
    const errors = isTooLong ? [tools.qrCode.tooLong({ most: MAX_BYTES })] : undefined
    const body = html`${textArea({ name: 'text', label: tools.qrCode.text, value: content, rows: 2, errors })}
<div class="actions"><button type="submit" class="button button-primary">${tools.qrCode.make}</button></div>`
    const form = postForm(context, { action: '/tools/qr-code', body })
    return html`${form}${content !== '' && !isTooLong && (await picture(context, content))}`
  },
})

/** As an image, in which nothing can run. */
async function picture({ words: { tools, answers } }: PageContext, content: string): Promise<Html> {
  const { svg } = await drawQrCode(content)
  const source = `data:image/svg+xml,${encodeURIComponent(svg)}`
  const label = answers.qrCode({ content: Array.from(content).slice(0, 100).join('') })
  return html`<div class="tool-picture"><img class="qr-picture" src="${source}" alt="${label}" width="176" height="176">
<a class="button button-plain" href="${source}" download="qr-code.svg">${tools.qrCode.download}</a></div>`
}
