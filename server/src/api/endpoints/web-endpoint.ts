// GET /api/v1/web/, and /api/v1/science/, /api/v1/code/ and /api/v1/mine/, which have the same reply.

import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { z } from 'zod'
import type { Search } from '../../search/search.ts'
import { relativeAge } from '../../text/durations.ts'
import type { Endpoint } from '../endpoint.ts'
import type { PageContents } from './page-contents.ts'
import {
  datedSearchParams,
  mineParams,
  paramsWithContent,
  searchEndpoint,
  type TabEndpoint,
} from './search-endpoint.ts'

const WebResult = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string(),
  display_url: z.string().describe('The host, without www.'),
  favicon_url: z.string(),
  age: z.string().describe('Relative age in the requested language, or empty.'),
  source: z.string().describe('The engine that returned it; `both` for two engines, `all` for three or more.'),
  source_label: z.string().describe('Display names of the engines that returned it.'),
  sitelinks: z.array(z.object({ title: z.string(), url: z.string() })),
})

export const webEndpoint = (search: Search, contents: PageContents | undefined) =>
  linkEndpoint({
    search,
    tab: 'web',
    name: 'web_search',
    summary: 'Web search',
    contents,
    params: paramsWithContent(search.slotNames, contents),
  })

export const scienceEndpoint = (search: Search) =>
  linkEndpoint({
    search,
    tab: 'science',
    name: 'science_search',
    summary: 'Scientific papers',
    params: datedSearchParams(search.slotNames),
  })

export const codeEndpoint = (search: Search) =>
  linkEndpoint({
    search,
    tab: 'code',
    name: 'code_search',
    summary: 'Packages, projects and questions about code',
    params: datedSearchParams(search.slotNames),
  })

/** Searches the private engines. Its OpenAPI description is open to everyone, so it doesn't name them. */
export const mineEndpoint = (mine: Search): Endpoint => ({
  ...linkEndpoint({
    search: mine,
    tab: 'web',
    name: 'mine_search',
    summary: "One's own things",
    params: mineParams,
    isMine: true,
  }),
  isListed: mine.slotNames.length > 0,
})

type LinkTab = Omit<TabEndpoint<'web', typeof WebResult>, 'kind' | 'result' | 'extra' | 'present'>

function linkEndpoint(tab: LinkTab) {
  return searchEndpoint({
    ...tab,
    kind: 'web',
    result: WebResult,
    extra: {
      shape: { correction: z.string().describe('Suggested spelling correction, or empty.') },
      present: ({ correction }) => ({ correction }),
    },
    present: ({ hit, slots, contributions }, { now, lang }) => {
      const host = hostOf(hit.url)
      return {
        title: hit.title,
        url: hit.url,
        description: hit.description,
        display_url: host,
        favicon_url: hit.faviconUrl || `https://${host}/favicon.ico`,
        age: relativeAge(hit.publishedAt, now, lang),
        source: sourceOf(slots),
        source_label: labelOf(contributions),
        sitelinks: hit.sitelinks,
      }
    },
  })
}

/** Names the providers that returned the result, not every provider of their slots. */
function labelOf(contributions: readonly { name: string }[]): string {
  let label = ''
  for (const [i, { name }] of contributions.entries()) {
    if (contributions.findIndex((other) => other.name === name) === i) label += label === '' ? name : `, ${name}`
  }
  return label
}

function sourceOf(slots: readonly string[]): string {
  if (slots.length === 1) return slots[0] ?? ''
  return slots.length === 2 ? 'both' : 'all'
}
