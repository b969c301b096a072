// GET /api/v1/images/ (specification 2.3) and /api/v1/images/similar/ (2.4), an image search seeded from a caption.
import { z } from 'zod'
import type { ImageHit } from '../../providers/engine.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { Search } from '../../search/search.ts'
import { seedOf } from '../../search/similar-seed.ts'
import { canonicalAddress } from '../../text/canonical-address.ts'
import { hostOf } from '../../text/http-address.ts'
import { defineEndpoint } from '../endpoint.ts'
import { SEARCH_HEADERS, searchEndpoint, searchParams, setSearchHeaders } from './search-endpoint.ts'
import { longestQuery } from './search-params.ts'

const ImageResult = z
  .object({
    title: z.string(),
    url: z.string().describe('The page that shows the picture.'),
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
  searchEndpoint(search, {
    tab: 'images',
    name: 'image_search',
    summary: 'Image search',
    params: searchParams(search.slotNames),
    result: ImageResult,
    present: presentImage,
  })

const caption = (description: string) => longestQuery(z.string()).default('').meta({ description })

const SimilarParams = z
  .object({
    q: caption('The caption of the opened image: the seed, when it is usable.'),
    query: caption('The query of the page: the seed otherwise.'),
    exclude_url: z.string().default('').meta({ description: 'An address that is dropped from the results.' }),
  })
  .check((context) => {
    const { q, query } = context.value
    if (seedOf(q, query) !== undefined) return
    for (const path of ['q', 'query']) {
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: [path],
        message: 'Send a caption in q, or query.',
      })
    }
  })

export const similarImagesEndpoint = (search: Search) =>
  defineEndpoint({
    name: 'similar_image_search',
    method: 'GET',
    path: '/api/v1/images/similar/',
    summary: 'Similar images',
    description: 'An image search seeded from the caption of an opened image; `query` in the reply is the seed used.',
    params: SimilarParams,
    reply: z
      .object({ query: z.string(), engine: z.array(z.string()), results: z.array(ImageResult) })
      .meta({ id: 'SimilarImagesReply' }),
    counts: true,
    scope: 'search',
    headers: SEARCH_HEADERS,
    async handle({ params, setHeader }) {
      const text = seedOf(params.q, params.query) ?? ''
      const answer = await search.search('images', {
        text,
        engines: [],
        safe: true,
        lang: '',
        page: 1,
        date: undefined,
      })
      setSearchHeaders(answer, setHeader)
      const excluded = params.exclude_url && canonicalAddress(params.exclude_url)
      const kept = answer.results.filter(({ hit }) => excluded === '' || canonicalAddress(hit.url) !== excluded)
      return { query: text, engine: answer.engines, results: kept.map(presentImage) }
    },
  })
