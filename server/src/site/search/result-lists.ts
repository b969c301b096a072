// The result lists of the tabs. A web result is four lines: address, title, snippet, and which engines found it.

import { hash } from 'node:crypto'
import type { ImageHit, NewsHit, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { type HitKind, type HitOfKind, type MergedHit, onlyKind } from '../../search/merge.ts'
import { clockDuration } from '../../text/durations.ts'
import { type Html, html } from '../http/html.ts'
import { compactCount } from '../parts/formats.ts'
import { foldResults } from './fold-results.ts'
import { viewerAttributes } from './image-viewer.ts'
import { citeDetails, doiLink, paperFacts, venueLine } from './paper-parts.ts'
import { addressLine, externalLink, meta, pictureOf, type ResultView, shortened } from './result-parts.ts'
import { installBox, softwareFacts } from './software-view.ts'

const MAX_TITLE_LENGTH = 240
const MAX_SNIPPET_LENGTH = 600
const MAX_NAME_LENGTH = 60

const title = (hit: { title: string; url: string }, view: ResultView): Html =>
  html`<h2 dir="auto"><a class="result-link" ${externalLink(hit.url, view)}>${shortened(hit.title, MAX_TITLE_LENGTH) || hostOf(hit.url)}</a></h2>`

const snippet = (text: string): Html | false =>
  text !== '' && html`<p class="snippet" dir="auto">${shortened(text, MAX_SNIPPET_LENGTH)}</p>`

/** Left out if it is only the host, which the address above it shows. */
const publisher = ({ publisher: name, url }: { publisher: string; url: string }): Html | false =>
  name !== '' && name !== hostOf(url) && html`<bdi>${shortened(name, MAX_NAME_LENGTH)}</bdi>`

/**
 * The link's accessible name includes the page's title, for readers who navigate by links. A rule may show another address
 * of the page; it is read where it was found.
 */
function readLink(
  { hit, originalUrl = hit.url }: MergedHit<{ title: string; url: string }>,
  { toRead, reading }: ResultView,
): Html | false {
  const address = toRead(originalUrl)
  const name = shortened(hit.title, MAX_NAME_LENGTH) || hostOf(hit.url)
  return (
    address !== '' && html`<a href="${address}" aria-label="${reading.readPage({ title: name })}">${reading.read}</a>`
  )
}

/** '' for that of the shown address: a rule that shows another one doesn't make us ask it for an icon. */
const iconAddress = ({ originalUrl }: MergedHit, icon = ''): string =>
  icon || (originalUrl === undefined ? '' : `https://${hostOf(originalUrl)}/favicon.ico`)

function webResult(merged: MergedHit<WebHit>, view: ResultView, more: Html | false = false): Html {
  const { hit } = merged
  return html`<li class="result">${addressLine(hit.url, iconAddress(merged, hit.faviconUrl), view)}${title(hit, view)}
${snippet(hit.description)}${more}
${meta(merged, { facts: softwareFacts(hit.software, view), read: readLink(merged, view), links: hit.sitelinks.length > 0 && sitelinks(hit, view) }, view)}</li>`
}

/** A paper says more about itself than its address and a snippet. */
function paperResult(merged: MergedHit<WebHit>, view: ResultView): Html {
  const { hit } = merged
  const { paper } = hit
  if (!paper) return webResult(merged, view)
  // The year says how old it is, unless it is new.
  const isOld = paper.year !== undefined && paper.year < new Date(view.now).getUTCFullYear()
  const dated = isOld ? { ...merged, hit: { ...hit, publishedAt: undefined } } : merged
  const parts = {
    facts: [doiLink(merged, paper, view)],
    read: readLink(merged, view),
    links: hit.sitelinks.length > 0 && sitelinks(hit, view),
    more: citeDetails(merged, paper, view),
  }
  return html`<li class="result">${venueLine(hit, paper) || addressLine(hit.url, iconAddress(merged, hit.faviconUrl), view)}${title(hit, view)}
${paperFacts(hit, paper, view)}${snippet(paper.abstract ?? '')}${meta(dated, parts, view)}</li>`
}

const sitelinks = ({ sitelinks: links }: WebHit, view: ResultView): Html =>
  html`<ul class="sitelinks" aria-label="${view.words.sitelinks}">${links.map((link) => html`<li><a ${externalLink(link.url, view)} dir="auto">${shortened(link.title, MAX_NAME_LENGTH) || hostOf(link.url)}</a></li>`)}</ul>`

function newsResult(merged: MergedHit<NewsHit>, view: ResultView): Html {
  const { hit } = merged
  const { pictures } = view
  return html`<li class="result with-picture"><div>${addressLine(hit.url, iconAddress(merged), view)}${title(hit, view)}
${snippet(hit.description)}${meta(merged, { facts: [publisher(hit)], read: readLink(merged, view) }, view)}</div>
${hit.thumbnailUrl && pictures && pictureOf(hit.thumbnailUrl, hit.title, { pictures, kind: 'thumbnail' })}</li>`
}

/** The larger picture is only loaded by a window that shows it larger. */
function stillOf(hit: VideoHit, { pictures }: ResultView): Html {
  const picture = pictureOf(hit.thumbnailUrl || hit.previewUrl || '', hit.title, { pictures, kind: 'thumbnail' })
  const preview = hit.previewUrl && pictures?.signedPath(hit.previewUrl, 'thumbnail', hit.thumbnailUrl)
  return preview ? html`<picture><source media="(width >= 75rem)" srcset="${preview}">${picture}</picture>` : picture
}

function videoResult(merged: MergedHit<VideoHit>, view: ResultView): Html {
  const { hit } = merged
  const { words, videos, locale } = view
  const duration = clockDuration(hit.durationSeconds)
  const views = hit.views && videos.views(compactCount(hit.views, locale))
  const opens = videos.opens({ site: hostOf(hit.url) })
  return html`<li class="result with-picture video"><div>${addressLine(hit.url, iconAddress(merged), view)}${title(hit, view)}
${meta(merged, { facts: [publisher(hit), views] }, view)}</div>
<div class="frame"><a ${externalLink(hit.url, view)} title="${opens}" aria-hidden="true" tabindex="-1">${stillOf(hit, view)}</a>${duration && html`<span class="duration"><span class="visually-hidden">${words.duration} </span>${duration}</span>`}</div></li>`
}

/** The steps that `images.css` has a class for. */
const NARROWEST = 5
const WIDEST = 25

/** The class of a tile with a picture of these proportions; '' if they aren't known. */
const ratioOf = ({ width, height }: ImageHit): string =>
  width && height ? `ratio-${Math.min(WIDEST, Math.max(NARROWEST, Math.round((10 * width) / height)))}` : ''

/** Tiles that link to the detail page of each image; `toDetail` gives its URL. */
export function imageGrid(
  results: readonly MergedHit[],
  view: ResultView,
  toDetail: (id: string, hit: ImageHit) => string,
): Html {
  const { pictures, words } = view
  return html`<ul class="image-grid">${onlyKind(results, 'image').map((merged) => {
    const { hit } = merged
    const name = shortened(hit.title, MAX_TITLE_LENGTH) || words.images.untitled
    return html`<li class="${ratioOf(hit)}"><a class="result-link" href="${toDetail(imageId(hit), hit)}"${viewerAttributes(hit, view)}>${pictureOf(hit.thumbnailUrl, name, { pictures, kind: 'thumbnail' })}<span class="caption"><span class="caption-title" dir="auto">${name}</span><span class="quiet" dir="ltr">${hostOf(hit.url)}</span></span></a>${view.menuOf(merged)}</li>`
  })}</ul>`
}

type ResultItem<Kind extends HitKind> = (merged: MergedHit<HitOfKind<Kind>>, view: ResultView) => Html

const listOf =
  <Kind extends HitKind>(name: string, kind: Kind, item: ResultItem<Kind>) =>
  (results: readonly MergedHit[], view: ResultView): Html => {
    const shown = onlyKind(results, kind)
    const items = (some: readonly (typeof shown)[number][]) => some.map((merged) => item(merged, view))
    const rows = view.folds
      ? foldResults(shown).map(
          ({ shown, folded }) =>
            html`${items([shown])}${folded.length > 0 && foldedItem(shown.hit, items(folded), view)}`,
        )
      : items(shown)
    return html`<ol class="results results-${name}">${rows}</ol>`
  }

const foldedItem = ({ url }: { url: string }, items: readonly Html[], { sites }: ResultView): Html =>
  html`<li class="folded"><details><summary class="fold">${sites.folded({ count: items.length, site: hostOf(url) })}</summary><ol class="results">${items}</ol></details></li>`

export const LISTS = {
  web: listOf('web', 'web', (merged, view) => webResult(merged, view)),
  news: listOf('news', 'news', newsResult),
  videos: listOf('videos', 'video', videoResult),
  science: listOf('web', 'web', paperResult),
  code: listOf('code', 'web', (merged, view) => webResult(merged, view, installBox(merged, view))),
}

/**
 * The id of an image in URLs. The detail page looks it up in the results again, because a page that took the image's
 * address from its URL would sign any address for the image proxy.
 */
export const imageId = ({ url, thumbnailUrl }: ImageHit): string =>
  hash('sha256', `${url} ${thumbnailUrl}`, 'base64url').slice(0, 12)
