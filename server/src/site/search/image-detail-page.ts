// GET /images/detail: one image from a search, shown large, with its source and similar images. The image is looked up
// by its id in the results of the same search, which are usually cached.

import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { onlyKind } from '../../search/merge.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong } from '../../search/read-filters.ts'
import { seedOf } from '../../search/similar-seed.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { extraStylePath } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, redirectTo } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { isHeld } from './guard-page.ts'
import { imageFacts, largePath } from './image-viewer.ts'
import { imageGrid, imageId } from './result-lists.ts'
import { type ResultMenus, resultMenus } from './result-menu.ts'
import { addressLine, engineDots, externalLink, pictureOf, type ResultViewParts, resultViewOf } from './result-parts.ts'
import { statePage } from './search-notes.ts'
import { parseSearchQuery, SearchParams, type SearchQuery, searchParamsOf } from './search-query.ts'

export interface ImageDetailPageParts extends ResultViewParts {
  queryGuard: GuardMode
}

const ImageDetailQuery = SearchParams.extend({ id: z.string().max(20).catch('') })

export const imageDetailPage = (parts: ImageDetailPageParts) =>
  definePage({
    method: 'GET',
    path: '/images/detail',
    access: 'searcher',
    quota: 'search',
    query: ImageDetailQuery,
    search: ({ query }) => ({ text: query.q.trim(), tab: 'images' }),
    async handle(context) {
      const { caller, query, preferences, words } = context
      const searchQuery = parseSearchQuery({ ...query, tab: 'images' }, preferences, parts.search.slotNames)
      const { written: text, request } = searchQuery
      const { page } = request
      if (text === '' || isTooLong(text)) return redirectTo('/')
      if (isHeld(parts.queryGuard, searchQuery)) return redirectTo(addressOf('/search', searchParamsOf(searchQuery)))
      const answer = await parts.search.search({ caller, tab: 'images', request })
      const pictures = onlyKind(answer.results, 'image')
      const found = pictures.find(({ hit }) => imageId(hit) === query.id)
      const back = addressOf('/search', { q: text, tab: 'images', page: page === 1 ? '' : page, ...searchQuery.keep })
      const search = { text, tab: 'images' as const, keep: searchQuery.keep }
      const toDetail = (id: string) =>
        addressOf('/images/detail', { q: text, page: page === 1 ? '' : page, ...searchQuery.keep, id })
      const { images } = words.search
      if (!found) {
        const body = statePage(images.gone, [images.goneHelp], [buttonLink(images.back, back)])
        return { title: images.gone, layout: 'results' as const, status: 404, search, body }
      }
      const { hit } = found
      const view = resultViewOf(context, answer, parts)
      const { form, menuOf } = resultMenus(context, searchQuery, { back, path: '/search' })
      const title = hit.title || images.untitled
      const source = largePath(hit, view.pictures)
      const { width, height } = hit
      const size = width && height && html` width="${width}" height="${height}"`
      const at = pictures.indexOf(found)
      const to = (step: number, label: string, key: string) => {
        const neighbour = pictures[at + step]
        return neighbour && html`<a href="${toDetail(imageId(neighbour.hit))}" data-key="${key}">${label}</a>`
      }
      const body = html`<article class="image-detail"><p class="image-steps"><a href="${back}">${images.back}</a>${to(-1, words.images.previous, 'arrowleft')}${to(1, words.images.next, 'arrowright')}</p>
<a class="large-picture" ${externalLink(hit.url, view)} tabindex="-1" aria-hidden="true">${source ? html`<img class="picture" src="${source}" alt=""${size}>` : pictureOf('', title, { pictures: undefined, kind: 'picture' })}</a>
<div class="image-facts">${addressLine(hit.url, '', view)}<h1 dir="auto">${title}</h1>
${!view.pictures && html`<p class="quiet">${images.notShown}</p>`}
${imageFacts(hit, words, view)}
<p><a class="button button-primary" ${externalLink(hit.url, view)}>${images.openPage}</a></p>
<div class="meta"><div>${engineDots(found, view)}</div>${menuOf(found)}</div>${form}</div></article>
${await similarTo(parts, context, searchQuery, { hit, menuOf })}`
      return { title, layout: 'results' as const, styles: [extraStylePath('images')], search, body }
    },
  })

/** Finds similar images as the API does, with the reader's filters. */
async function similarTo(
  parts: ResultViewParts,
  context: PageContext,
  searchQuery: SearchQuery,
  { hit: { title, url }, menuOf }: { hit: ImageHit } & Pick<ResultMenus, 'menuOf'>,
): Promise<Html> {
  const { caller, words } = context
  const { images } = words.search
  const request = {
    ...searchQuery.request,
    text: seedOf({ caption: title, query: searchQuery.request.text, excludeUrl: url }) ?? searchQuery.request.text,
    page: 1,
  }
  const section = (body: Html) =>
    html`<section class="similar" id="similar"><h2>${images.similar}</h2>${body}</section>`
  try {
    const answer = await parts.search.search({ caller, tab: 'images', request })
    const imagePage = canonicalAddress(url)
    const others = answer.results.filter(({ hit }) => canonicalAddress(hit.url) !== imagePage)
    if (others.length === 0) return section(html`<p class="quiet">${images.noSimilar}</p>`)
    const toDetail = (id: string) => addressOf('/images/detail', { q: request.text, ...searchQuery.keep, id })
    return section(imageGrid(others, { ...resultViewOf(context, answer, parts), menuOf }, toDetail))
  } catch (error) {
    // If only the similar images fail, still show the image itself.
    if (error instanceof Refusal) return section(html`<p class="quiet">${words.search.failed.title}</p>`)
    throw error
  }
}
