// Hugging Face: machine learning models by name, most downloaded first. JSON over HTTP, no key. There are no pages, so
// later ones are cut from one longer list. It can't filter by date: the host does, by the last change. A model has no
// description, so its task and library serve as one. Models that their author tagged as adult are filtered out here.

import { defineEngine } from '../engine.ts'
import { parseTimestamp } from '../parsing/dates.ts'
import { asString, hitsOf, jsonListReply } from '../parsing/json-reply.ts'
import { getJson } from '../parsing/json-request.ts'
import { cutPage, dropAdultResults, upToPage, webHit } from '../parsing/read-hits.ts'
import { setting } from '../setting.ts'

const NAME = /^[\w-][\w.-]{0,95}(?:\/[\w-][\w.-]{0,95})?$/

const addressOf = (name: string): string => (NAME.test(name) ? `https://huggingface.co/${name}` : '')

export const huggingface = defineEngine({
  slug: 'huggingface',
  name: 'Hugging Face',
  homepage: 'https://huggingface.co',
  hasNoContract: true,
  settings: { baseUrl: setting('HUGGINGFACE_URL', 'https://huggingface.co') },
  terms: {
    cacheSeconds: 3600,
    cacheIn: 'shared',
    pricePerCallMicros: 0,
    attribution: '',
    asOf: '2026-11-15',
    unverified: 'never tried; fields from other programs, the rate limit is our guess',
    rateLimit: { calls: 1, perSeconds: 1 },
  },
  tabs: {
    code: {
      lastPage: 10,
      honours: ['safe'],
      byNature: ['safe'],
      hasTextInAnyLanguage: true,
      knowsDates: true,
      request: (query) =>
        getJson('/api/models', {
          search: query.text,
          limit: upToPage(query.page),
          sort: query.date ? 'lastModified' : 'downloads',
          direction: -1,
          full: 'true',
        }),
      parse: (reply, query) => ({
        correction: '',
        hits: hitsOf(
          dropAdultResults(query, cutPage(jsonListReply(reply, query), query.page), 'tags'),
          ({ id, pipeline_tag: task, library_name: library, lastModified }) =>
            webHit({
              url: addressOf(asString(id)),
              title: id,
              description: [asString(task), asString(library)].filter(Boolean).join(' · '),
              publishedAt: parseTimestamp(lastModified),
            }),
        ),
      }),
    },
  },
})
