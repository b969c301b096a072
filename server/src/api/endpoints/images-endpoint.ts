// GET /api/v1/images/ and /api/v1/images/similar/, an image search seeded from a caption.

import type { ImageHit } from '@bowerbird/engines/engine.ts'
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import { type MergedHit, onlyKind } from '../../search/merge.ts'
import { MAX_QUERY_LENGTH } from '../../search/read-filters.ts'
import type { Search } from '../../search/search.ts'
import { seedOf } from '../../search/similar-seed.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { defineEndpoint } from '../endpoint.ts'
import { imageSearchParams, SEARCH_HEADERS, searchEndpoint, searchParams, setSearchHeaders } from './search-endpoint.ts'
import type { SlotList } from './search-params.ts'

const ImageResult = z
  .object({
    title: z.string(),
    url: z.string().describe('The page that shows the image.'),
    source: z.string().describe('The host of that page.'),
    thumbnail: z.string(),
  })
  .meta({ id: 'ImageResult' })

const presentImage = ({ hit }: MergedHit<ImageHit>): z.output<typeof ImageResult> => ({
  title: hit.title,
  url: hit.url,
  source: hostOf(hit.url),
  thumbnail: hit.thumbnailUrl,
})

export const imagesEndpoint = (search: Search) =>
  searchEndpoint({
    search,
    tab: 'images',
    kind: 'image',
    name: 'image_search',
    summary: 'Image search',
    params: imageSearchParams(search.slotNames),
    result: ImageResult,
    present: presentImage,
  })

const caption = (description: string) => z.string().default('').meta({ description })

const similarParams = (slots: SlotList) => {
  const { engine, safe, lang, region } = searchParams(slots).shape
  return z
    .object({
      q: caption('The caption of the opened image: the seed, if it holds a letter or a digit.'),
      query: caption('The query of the page: the seed otherwise.'),
      exclude_url: z.string().default('').meta({ description: 'An address to leave out of the results.' }),
      engine,
      safe,
      lang,
      region,
    })
    .check((context) => {
      if (seedIn(context.value) !== undefined) return
      for (const path of ['q', 'query']) {
        const message = `Send a caption in q, or a query in query, with a letter or a digit and at most ${MAX_QUERY_LENGTH} characters.`
        context.issues.push({ code: 'custom', input: context.value, path: [path], message })
      }
    })
}

const seedIn = ({ q, query, exclude_url }: { q: string; query: string; exclude_url: string }): string | undefined =>
  seedOf({ caption: q, query, excludeUrl: exclude_url })

export const similarImagesEndpoint = (search: Search) =>
  defineEndpoint({
    name: 'similar_image_search',
    method: 'GET',
    path: '/api/v1/images/similar/',
    summary: 'Similar images',
    description:
      'An image search seeded from the caption of an opened image; `query` in the reply is the seed used. At least one ' +
      'of `q` and `query` must be usable.',
    params: similarParams(search.slotNames),
    reply: z
      .object({ query: z.string(), engine: z.array(z.string()), results: z.array(ImageResult) })
      .meta({ id: 'SimilarImagesReply' }),
    counts: true,
    scope: 'search',
    headers: SEARCH_HEADERS,
    async handle({ params, caller, setHeader }) {
      // The check of the parameters has found one.
      const text = seedIn(params) ?? ''
      const { engine: engines, safe, lang, region } = params
      const request = { text, engines, safe, lang, region, page: 1, date: undefined }
      const answer = await search.search({ caller, tab: 'images', request })
      setSearchHeaders(answer, setHeader)
      const excluded = params.exclude_url && canonicalAddress(params.exclude_url)
      const kept = onlyKind(answer.results, 'image').filter(
        ({ hit }) => excluded === '' || canonicalAddress(hit.url) !== excluded,
      )
      return { query: text, engine: answer.engines, results: kept.map(presentImage) }
    },
  })
