// GET /opensearch.xml: how a browser adds this site to its search engines. Anybody may read it; searching is another
// matter. Browsers send what is typed in the address bar without a session, so a reader who is signed in gets an address
// for suggestions with a token in it.

import { z } from 'zod'
import { ICON_PATH, MARK_PATH, MARK_PNG_PATH } from '../assets.ts'
import { html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { isSuggestionToken, suggestionToken } from '../suggestion-token.ts'
import { areSuggestionsOffered, areSuggestionsOn } from '../suggestions.ts'

export const openSearchPage = definePage({
  method: 'GET',
  path: '/opensearch.xml',
  access: 'anyone',
  isData: true,
  query: z.object({ for: z.string().catch('') }),
  async handle(context) {
    const { baseUrl, words, services } = context
    const name = words.frame.siteName
    const token = await tokenOf(context)
    // Without a token, these are a stranger's suggestions.
    const suggests = token !== '' || (services.isPublic && areSuggestionsOffered({ services, viewer: undefined }))
    const template = `${baseUrl}/suggest?q={searchTerms}${token && `&t=${token}`}`
    // What `html` escapes is what XML asks for.
    const document = html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>${words.search.describe(name)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/x-icon">${baseUrl}${ICON_PATH}</Image>
<Image width="64" height="64" type="image/png">${baseUrl}${MARK_PNG_PATH}</Image>
<Image width="32" height="32" type="image/svg+xml">${baseUrl}${MARK_PATH}</Image>
<Url type="text/html" rel="results" method="get" template="${baseUrl}/search?q={searchTerms}"/>
${suggests && html`<Url type="application/x-suggestions+json" rel="suggestions" method="get" template="${template}"/>`}
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}/opensearch.xml"/>
</OpenSearchDescription>
`
    const headers = token === '' ? {} : { 'Cache-Control': 'no-store' }
    return { contentType: 'application/opensearchdescription+xml; charset=utf-8', content: document.text, headers }
  },
})

/** The reader's own, or the one in the address, if the browser asks for this without a session, too; '' for none. */
async function tokenOf(context: PageContext<{ for: string }>): Promise<string> {
  const { viewer, services, query } = context
  if (viewer) return areSuggestionsOn(context) ? suggestionToken(services, viewer) : ''
  const isGood = services.suggestionsFor !== 'off' && (await isSuggestionToken(services, query.for))
  return isGood ? query.for : ''
}
