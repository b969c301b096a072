// GET /opensearch.xml: how a browser adds this site to its search engines. Anybody may read it; searching is another
// matter.

import { MARK_PATH } from '../assets.ts'
import { html } from '../http/html.ts'
import { definePage } from '../http/page.ts'

export const openSearchPage = definePage({
  method: 'GET',
  path: '/opensearch.xml',
  access: 'anyone',
  isData: true,
  handle({ baseUrl, words }) {
    const name = words.frame.siteName
    // What `html` escapes is what XML asks for.
    const document = html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name}</ShortName>
<Description>${words.search.describe(name)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${baseUrl}${MARK_PATH}</Image>
<Url type="text/html" method="get" template="${baseUrl}/search?q={searchTerms}"/>
<Url type="application/x-suggestions+json" method="get" template="${baseUrl}/suggest?q={searchTerms}"/>
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}/opensearch.xml"/>
</OpenSearchDescription>
`
    return { contentType: 'application/opensearchdescription+xml; charset=utf-8', content: document.text }
  },
})
