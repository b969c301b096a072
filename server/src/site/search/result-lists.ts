// The result lists of the tabs. A web result is four lines: address, title, snippet, and which engines found it.
import type { HitOf, ImageHit, NewsHit, Tab, VideoHit, WebHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import type { MergedHit } from '../../search/merge.ts'
import { clockDuration } from '../../text/durations.ts'
import { type Html, html } from '../http/html.ts'
import { imageId } from './image-id.ts'
import { meta, pictureOf, where } from './result-parts.ts'
import { outward, type Presenting } from './result-view-options.ts'
import { shortened } from './shortened.ts'

type ListOf<Name extends Tab> = (results: readonly MergedHit<HitOf[Name]>[], presenting: Presenting) => Html

const LONGEST_TITLE = 240
const LONGEST_SNIPPET = 600
const LONGEST_NAME = 60

const title = (hit: { title: string; url: string }, presenting: Presenting): Html =>
  html`<h2 dir="auto"><a class="result-link" ${outward(hit.url, presenting)}>${shortened(hit.title, LONGEST_TITLE) || hostOf(hit.url)}</a></h2>`

const snippet = (text: string): Html | false =>
  text !== '' && html`<p class="snippet" dir="auto">${shortened(text, LONGEST_SNIPPET)}</p>`

const publisher = (name: string): Html | false => name !== '' && html`<bdi>${shortened(name, LONGEST_NAME)}</bdi>`

/** Its accessible name includes the page's title, for readers who navigate by links. */
function readLink(hit: { title: string; url: string }, { toRead, reading }: Presenting): Html | false {
  const address = toRead(hit.url)
  const name = shortened(hit.title, LONGEST_NAME) || hostOf(hit.url)
  return address !== '' && html`<a href="${address}" aria-label="${reading.readPage(name)}">${reading.read}</a>`
}

const listOf = (kind: string, items: readonly Html[]): Html => html`<ol class="results results-${kind}">${items}</ol>`

function webResult(merged: MergedHit<WebHit>, presenting: Presenting): Html {
  const { hit } = merged
  return html`<li class="result">${where(hit.url, hit.faviconUrl, presenting)}${title(hit, presenting)}
${snippet(hit.description)}
${hit.sitelinks.length > 0 && sitelinks(hit, presenting)}${meta(merged, [readLink(hit, presenting)], presenting)}</li>`
}

const sitelinks = ({ sitelinks: links }: WebHit, presenting: Presenting): Html =>
  html`<ul class="sitelinks" aria-label="${presenting.words.sitelinks}">${links.map((link) => html`<li><a ${outward(link.url, presenting)} dir="auto">${shortened(link.title, LONGEST_NAME) || hostOf(link.url)}</a></li>`)}</ul>`

function newsResult(merged: MergedHit<NewsHit>, presenting: Presenting): Html {
  const { hit } = merged
  const { pictures } = presenting
  return html`<li class="result with-picture"><div>${where(hit.url, '', presenting)}${title(hit, presenting)}
${snippet(hit.description)}${meta(merged, [publisher(hit.publisher), readLink(hit, presenting)], presenting)}</div>
${hit.thumbnailUrl && pictures && pictureOf(hit.thumbnailUrl, hit.title, { pictures, kind: 'thumbnail' })}</li>`
}

function videoResult(merged: MergedHit<VideoHit>, presenting: Presenting): Html {
  const { hit } = merged
  const { pictures, words } = presenting
  const duration = clockDuration(hit.durationSeconds)
  return html`<li class="result with-picture video"><div>${where(hit.url, '', presenting)}${title(hit, presenting)}
${meta(merged, [publisher(hit.publisher)], presenting)}</div>
<div class="frame">${pictureOf(hit.thumbnailUrl, hit.title, { pictures, kind: 'thumbnail' })}${duration && html`<span class="duration"><span class="visually-hidden">${words.duration} </span>${duration}</span>`}</div></li>`
}

/** Tiles that link to the detail page of each image; `toDetail` gives its URL. */
export function imageGrid(
  hits: readonly ImageHit[],
  presenting: Presenting,
  toDetail: (id: string, hit: ImageHit) => string,
): Html {
  const { pictures, words } = presenting
  return html`<ul class="image-grid">${hits.map((hit) => {
    const name = shortened(hit.title, LONGEST_TITLE) || words.images.untitled
    return html`<li><a class="result-link" href="${toDetail(imageId(hit), hit)}">${pictureOf(hit.thumbnailUrl, name, { pictures, kind: 'thumbnail' })}<span class="caption"><span class="caption-title" dir="auto">${name}</span><span class="quiet" dir="ltr">${hostOf(hit.url)}</span></span></a></li>`
  })}</ul>`
}

const webList = (results: readonly MergedHit<WebHit>[], presenting: Presenting): Html =>
  listOf(
    'web',
    results.map((merged) => webResult(merged, presenting)),
  )

export const LISTS: { readonly [Name in Exclude<Tab, 'images'>]: ListOf<Name> } = {
  web: webList,
  news: (results, presenting) =>
    listOf(
      'news',
      results.map((merged) => newsResult(merged, presenting)),
    ),
  videos: (results, presenting) =>
    listOf(
      'videos',
      results.map((merged) => videoResult(merged, presenting)),
    ),
  science: webList,
  code: webList,
}
