// GET /images/detail: one picture of a search, large, with where it comes from and what is like it. It is found among
// the results again, by its id: from memory as a rule.
import { z } from 'zod'
import type { ImageHit } from '../../providers/engine.ts'
import { Refusal } from '../../errors.ts'
import { isTooLong } from '../../search/read-filters.ts'
import { seedOf } from '../../search/similar-seed.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, redirectTo, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { buttonLink } from '../parts/form.ts'
import { type Asked, readAsked, SearchQuery } from './search-query.ts'
import { imageId } from './image-id.ts'
import { outward, presentingOf } from './presenting.ts'
import { imageGrid } from './result-lists.ts'
import { pictureOf, where, why } from './result-parts.ts'
import { state } from './search-notes.ts'

export const imageDetailPage = definePage({
  method: 'GET',
  path: '/images/detail',
  access: 'searcher',
  spends: 'search',
  query: SearchQuery.extend({ id: z.string().max(20).catch('') }),
  async handle(visit) {
    const { query, preferences, services, words } = visit
    const asked = readAsked({ ...query, tab: 'images' }, preferences, services.search.slotNames)
    const { text, page } = asked.request
    if (text === '' || isTooLong(text)) return redirectTo('/')
    const answer = await services.search.search('images', asked.request)
    const found = answer.results.find(({ hit }) => imageId(hit) === query.id)
    const back = addressOf('/search', { q: text, tab: 'images', page: page === 1 ? '' : page, ...asked.keep })
    const search = { text, tab: 'images' as const, keep: asked.keep }
    const { images } = words.search
    if (!found) {
      const body = state(images.gone, [images.goneHelp], [buttonLink(images.back, back)])
      return { title: images.gone, layout: 'results' as const, status: 404, search, body }
    }
    const { hit } = found
    const presenting = presentingOf(visit, answer)
    const { pictures } = presenting
    const title = hit.title || images.untitled
    const body = html`<article class="image-detail"><p class="back"><a href="${back}">${images.back}</a></p>
<a class="large-picture" ${outward(hit.url, presenting)} tabindex="-1" aria-hidden="true">${pictureOf(hit.thumbnailUrl, title, { pictures, kind: 'picture' })}</a>
<div class="image-facts">${where(hit.url, '', presenting)}<h1 dir="auto">${title}</h1>
${!pictures && html`<p class="quiet">${images.notShown}</p>`}
<p><a class="button button-primary" ${outward(hit.url, presenting)}>${images.openPage}</a></p>
<div class="meta"><div>${why(found, presenting)}</div></div></div></article>
${await similarTo(visit, asked, hit)}`
    return { title, layout: 'results' as const, search, body }
  },
})

/** As the API's similar images are found, with the reader's own filters. */
async function similarTo(visit: Visit, asked: Asked, { title, url }: ImageHit): Promise<Html> {
  const { services, words } = visit
  const { images } = words.search
  const request = { ...asked.request, text: seedOf(title, asked.request.text) ?? asked.request.text, page: 1 }
  const section = (body: Html) => html`<section class="similar"><h2>${images.similar}</h2>${body}</section>`
  try {
    const answer = await services.search.search('images', request)
    const own = canonicalAddress(url)
    const hits = answer.results.map(({ hit }) => hit).filter((hit) => canonicalAddress(hit.url) !== own)
    if (hits.length === 0) return section(html`<p class="quiet">${images.noSimilar}</p>`)
    const toDetail = (id: string) => addressOf('/images/detail', { q: request.text, ...asked.keep, id })
    return section(imageGrid(hits, presentingOf(visit, answer), toDetail))
  } catch (error) {
    // The picture itself is here: that nobody answered about others is no reason to hide it.
    if (error instanceof Refusal) return section(html`<p class="quiet">${words.search.failed.title}</p>`)
    throw error
  }
}
