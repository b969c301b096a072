// What is said of a picture, on its page and in the viewer beside the grid. The viewer is empty until
// `assets/viewer.js` fills it from the attributes of a tile; without script, or without room for it, a tile leads to the
// page of its picture.
import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { externalLink, type ResultView } from './result-parts.ts'

type Words = PageContext['words']

/** The path of the picture itself; its small version is shown if there is none, or it is too large. */
export const largePath = ({ imageUrl, thumbnailUrl }: ImageHit, pictures: ResultView['pictures']): string =>
  pictures?.signedPath(imageUrl ?? thumbnailUrl, 'picture', thumbnailUrl) ?? ''

const sizeOf = ({ width, height }: ImageHit): string => (width && height ? `${width} × ${height}` : '')

/** What the viewer needs to know of a tile. */
export function viewerAttributes(hit: ImageHit, { pictures }: ResultView): Html {
  const { width, height, creator, licence } = hit
  return html` data-picture="${largePath(hit, pictures)}" data-page="${httpAddress(hit.url)}"${width && height && html` data-width="${width}" data-height="${height}"`}${creator && html` data-creator="${creator}"`}${licence && html` data-licence="${licence.name}" data-terms="${httpAddress(licence.url)}"`}`
}

const fact = (label: string, value: Piece): Html => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

/** Size, creator and licence, as far as they are known. */
export function imageFacts(hit: ImageHit, { images }: Words, view: ResultView): Html | false {
  const { creator, licence } = hit
  const size = sizeOf(hit)
  if (!size && !creator && !licence) return false
  const terms =
    licence && (licence.url ? html`<a ${externalLink(licence.url, view)}>${licence.name}</a>` : licence.name)
  return html`<dl class="image-list">${size && fact(images.size, size)}${creator && fact(images.creator, html`<bdi>${creator}</bdi>`)}${terms && fact(images.licence, terms)}</dl>`
}

export function imageViewer({ images, search }: Words, view: ResultView): Html {
  const link = externalLink('', view)
  return html`<aside class="viewer" aria-label="${images.label}" tabindex="-1" hidden>
<p class="viewer-bar"><span class="quiet" data-place></span><button type="button" class="link-button" data-step="-1">${images.previous}</button><button type="button" class="link-button" data-step="1">${images.next}</button><button type="button" class="link-button" data-close>${images.close}</button></p>
<a class="viewer-picture" ${link} data-open tabindex="-1" aria-hidden="true"><img alt=""></a>
<div role="status"><h2 dir="auto"></h2><p class="quiet" dir="ltr" data-host></p></div>
<dl class="image-list">${fact(images.size, html`<span data-fact="size"></span>`)}${fact(images.creator, html`<bdi data-fact="creator"></bdi>`)}${fact(images.licence, html`<a data-fact="licence" ${link}></a>`)}</dl>
<p class="actions"><a class="button button-primary" ${link} data-open>${search.images.openPage}</a><a class="button" href="#" data-similar>${search.images.similar}</a></p></aside>`
}
