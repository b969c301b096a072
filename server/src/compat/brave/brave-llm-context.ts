// Brave's text for language models, `/brave/res/v1/llm/context`: a web search, and with the scope `read` also the text of
// the first pages, each of which counts as a request to `read/`. The bounds in tokens are kept as four characters each.
import { hostOf } from '@bowerbird/engines/parsing/http-address.ts'
import { markdownWindowOf } from '@bowerbird/reader/text-window.ts'
import { z } from 'zod'
import { createPageContents } from '../../api/endpoints/page-contents.ts'
import { readFields } from '../../api/pipeline/read-body.ts'
import { Refusal } from '../../errors.ts'
import { READ_SCOPE } from '../../keys/scopes.ts'
import { pageAddress } from '../../search/merge.ts'
import { relativeAge } from '../../text/durations.ts'
import { MAX_BODY_BYTES, readQueryAs, resultCount } from '../compat-params.ts'
import { type CompatAnswer, noteMember, searchFor, withNote } from '../compat-search.ts'
import { type CompatFrame, ENDPOINT_OF_TAB, mountCompatRoute } from '../mount-compat-route.ts'
import { BRAVE_FORMAT, toRequest, webMembers } from './brave-params.ts'

const MAX_PAGES = 5
const MAX_PAGE_CHARACTERS = 8_000
const CHARACTERS_OF_TOKEN = 4

const ContextSchema = z.object({
  ...webMembers,
  count: resultCount(50, 20),
  maximum_number_of_urls: resultCount(50, 20),
  maximum_number_of_tokens: resultCount(32_768, 8_192),
  maximum_number_of_tokens_per_url: resultCount(8_192, 4_096),
  maximum_number_of_snippets: resultCount(100, 50),
  maximum_number_of_snippets_per_url: resultCount(100, 50),
})
type ContextParams = z.output<typeof ContextSchema>

export function mountLlmContext(frame: CompatFrame): void {
  const { reader, admit } = frame.services
  const contents = reader && createPageContents(reader, admit)
  mountCompatRoute<ContextParams>(frame, {
    path: '/brave/res/v1/llm/context',
    methods: ['GET', 'POST'],
    scope: 'search',
    countedAs: () => ENDPOINT_OF_TAB.web,
    fields: { names: Object.keys(ContextSchema.shape), maxBytes: MAX_BODY_BYTES },
    read: async (request, fields) => {
      const body = request.method === 'POST' ? await readFields(request, fields) : {}
      return body instanceof Refusal ? { ok: false, refusal: body } : readQueryAs(request, ContextSchema, body)
    },
    async handle(call) {
      const { params, key } = call
      const count = Math.min(params.count, params.maximum_number_of_urls)
      const found = withNote(await searchFor(call, 'web', toRequest({ ...params, count })), params.country.note)
      const addresses = found.results.map(pageAddress)
      const length = Math.min(MAX_PAGE_CHARACTERS, params.maximum_number_of_tokens_per_url * CHARACTERS_OF_TOKEN)
      const pages =
        contents && key.scopes.has(READ_SCOPE)
          ? await contents.readFirst(call, {
              content_results: MAX_PAGES,
              content_length: length,
              content_tokens: 0,
              text: '',
              addresses,
            })
          : []
      return contextReply(found, params, (at) => pages[at]?.content ?? '')
    },
    ...BRAVE_FORMAT,
  })
}

function contextReply(found: CompatAnswer<'web'>, params: ContextParams, textOf: (at: number) => string) {
  const { now, request } = found.answer
  const shown = found.results.map(({ hit }, at) => ({ hit, texts: [textOf(at), hit.description].filter(Boolean) }))
  const cut = withinBudget(
    shown.map(({ texts }) => texts),
    params,
  )
  const kept = shown
    .map(({ hit }, at) => ({ hit, snippets: cut[at] ?? [] }))
    .filter(({ snippets }) => snippets.length > 0)
  return {
    grounding: {
      generic: kept.map(({ hit, snippets }) => ({ url: hit.url, title: hit.title, snippets })),
      map: [],
    },
    sources: Object.fromEntries(
      kept.map(({ hit: { url, title, publishedAt } }) => [
        url,
        {
          title,
          hostname: hostOf(url),
          age: publishedAt === undefined ? [] : agesOf(publishedAt, relativeAge(publishedAt, now, request.lang)),
        },
      ]),
    ),
    ...noteMember(found),
  }
}

const LONG_DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

const agesOf = (at: number, age: string) => [LONG_DAY.format(at), new Date(at).toISOString().slice(0, 10), age]

/** Keeps the texts that fit, best result first; the last one may be cut. */
function withinBudget(lists: readonly (readonly string[])[], params: ContextParams): string[][] {
  let charactersLeft = params.maximum_number_of_tokens * CHARACTERS_OF_TOKEN
  let snippetsLeft = params.maximum_number_of_snippets
  return lists.map((texts) => {
    let left = Math.min(charactersLeft, params.maximum_number_of_tokens_per_url * CHARACTERS_OF_TOKEN)
    const most = Math.min(snippetsLeft, params.maximum_number_of_snippets_per_url)
    const kept = texts.slice(0, most).flatMap((text) => {
      const { content } = markdownWindowOf(text, 0, left)
      left -= content.length
      charactersLeft -= content.length
      return content === '' ? [] : [content]
    })
    snippetsLeft -= kept.length
    return kept
  })
}
