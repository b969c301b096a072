// GET /suggest: completes a query while it is typed, for the search field's script and for browsers. The format is
// OpenSearch's: `["oak", ["oak tree", "oak furniture"]]`, plus relevance scores, without which Chromium shows only
// three suggestions. Bangs and answers that are computed here have a description: where a bang leads, or the answer.
// A request doesn't count as a search, and if a provider fails, the reply lacks its suggestions, and isn't an
// error. Address bars send a token (`t`) instead of cookies.
import { z } from 'zod'
import type { InstantAnswers } from '../../cards/instant-answers.ts'
import { Refusal } from '../../errors.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import { withoutBlocked } from '../../search/blocked-sites.ts'
import type { GuardMode } from '../../search/query-guard.ts'
import { isTooLong } from '../../search/read-filters.ts'
import type { Suggest } from '../../search/suggest.ts'
import { ICON_PATH, LOGO_PATH, LOGO_PNG_PATH } from '../assets.ts'
import { html } from '../http/html.ts'
import { definePage, type PageContext, type Verbatim } from '../http/page.ts'
import { createMember } from '../http/page-caller.ts'
import type { SuggestionsFor } from '../search-offers.ts'
import {
  areSuggestionsOffered,
  areSuggestionsOn,
  MIN_CHARACTERS,
  type SuggestionTokenParts,
  suggestionToken,
  userOfSuggestionToken,
} from '../suggestions.ts'
import { hasBang } from './bang.ts'
import { isGuarded } from './guard-page.ts'
import { type Suggestion, suggestAnswer, suggestBangs } from './local-suggestions.ts'

export interface OpenSearchPageParts extends SuggestionTokenParts {
  /** SITE_SUGGESTIONS. Readers who are offered suggestions can turn them off. */
  suggestionsFor: SuggestionsFor
}

export interface SuggestPageParts extends OpenSearchPageParts {
  rules: RuleBook
  suggest: Suggest
  answers: InstantAnswers
  queryGuard: GuardMode
}

/** Ranks our suggestions above Chromium's own, best first. */
const relevance = (_suggestion: Suggestion, index: number): number => 1_300 - index

/** By the OpenSearch specification. */
const MAX_SHORT_NAME_LENGTH = 16

const SUGGESTIONS_TYPE = 'application/x-suggestions+json; charset=utf-8'

const SuggestQuery = z.object({ q: z.string().catch(''), t: z.string().catch('') })

export const suggestPage = (parts: SuggestPageParts) =>
  definePage({
    method: 'GET',
    path: '/suggest',
    access: 'anyone',
    quota: 'suggestion',
    isData: true,
    query: SuggestQuery,
    async handle(context) {
      const { query, preferences, viewer } = context
      const tokenUser = query.t === '' ? undefined : await userOfSuggestionToken(parts, query.t)
      const hasToken = tokenUser !== undefined
      if (viewer?.mustEnrol) throw new Refusal('second_factor_required', 'Set up a second factor first.')
      if (!viewer && !context.isPublic && !hasToken) throw new Refusal('sign_in_required', 'Sign in first.')
      const text = query.q.trim()
      // If suggestions are off, a browser that added this site may still request them: it gets an empty list, and no
      // provider is called.
      const isOn = hasToken ? parts.suggestionsFor !== 'off' : areSuggestionsOn(context)
      // A secret may be complete before the query is.
      if (!isOn || isTooLong(text) || isGuarded(parts.queryGuard, text)) return replyWith(text, [])
      const bangs = await suggestBangs(context, text)
      // Whoever types a bang wants to know it, and nobody else has to.
      if (bangs.length > 0 || (await hasBang(text))) return replyWith(text, bangs)
      if (text.length < MIN_CHARACTERS) return replyWith(text, [])
      const answer = await suggestAnswer(parts.answers, context, text)
      const first = answer ? [answer] : []
      if (answer && preferences.answersFirst) return replyWith(text, first)
      try {
        // The address bar sends no cookie, so the context doesn't know who it is.
        const caller = hasToken ? createMember(parts.rules, tokenUser) : context.caller
        const { suggestions } = await parts.suggest.suggest(caller, { text, lang: preferences.lang })
        // A browser that does send cookies may have rules as well.
        const allowed = hasToken ? withoutBlocked(suggestions, await context.caller.findRules()) : suggestions
        return replyWith(text, [...first, ...allowed.map((suggestion) => ({ text: suggestion }))])
      } catch (error) {
        // No provider is set up, or none answered; the reader can go on typing.
        if (error instanceof Refusal) return replyWith(text, first)
        throw error
      }
    },
  })

/** Without descriptions their list is empty, as most other services send it. */
function replyWith(text: string, suggestions: readonly Suggestion[]): Verbatim {
  const descriptions = suggestions.map(({ description = '' }) => description)
  return {
    contentType: SUGGESTIONS_TYPE,
    content: JSON.stringify([
      text,
      suggestions.map((suggestion) => suggestion.text),
      descriptions.some((description) => description !== '') ? descriptions : [],
      [],
      { 'google:suggestrelevance': suggestions.map(relevance) },
    ]),
    // A browser that stored it would go on suggesting a site that is blocked meanwhile.
    headers: { 'Cache-Control': 'no-store' },
  }
}

const OpenSearchQuery = z.object({ for: z.string().catch('') })

/**
 * GET /opensearch.xml: lets a browser add this site as a search engine. Anyone may read it, even if only
 * signed-in users may search. Browsers request suggestions for the address bar without a session, so the description for
 * a signed-in reader has a suggestion URL that contains a token.
 */
export const openSearchPage = (parts: OpenSearchPageParts) =>
  definePage({
    method: 'GET',
    path: '/opensearch.xml',
    access: 'anyone',
    isData: true,
    query: OpenSearchQuery,
    async handle(context) {
      const { baseUrl, words, offers, instanceName: name } = context
      const token = await tokenOf(parts, context)
      // Without a token, suggestions are those of an anonymous visitor.
      const suggests = token !== '' || (context.isPublic && areSuggestionsOffered({ offers, viewer: undefined }))
      const template = `${baseUrl}/suggest?q={searchTerms}${token && `&t=${token}`}`
      // XML requires the same escapes as HTML.
      const document = html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name.slice(0, MAX_SHORT_NAME_LENGTH).trim()}</ShortName>
<Description>${words.search.describe({ name })}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Image width="16" height="16" type="image/x-icon">${baseUrl}${ICON_PATH}</Image>
<Image width="64" height="64" type="image/png">${baseUrl}${LOGO_PNG_PATH}</Image>
<Image width="32" height="32" type="image/svg+xml">${baseUrl}${LOGO_PATH}</Image>
<Url type="text/html" rel="results" method="get" template="${baseUrl}/search?q={searchTerms}"/>
${suggests && html`<Url type="application/x-suggestions+json" rel="suggestions" method="get" template="${template}"/>`}
<Url type="application/opensearchdescription+xml" rel="self" template="${baseUrl}/opensearch.xml"/>
</OpenSearchDescription>
`
      const headers = token === '' ? {} : { 'Cache-Control': 'no-store' }
      return { contentType: 'application/opensearchdescription+xml; charset=utf-8', content: document.text, headers }
    },
  })

/**
 * Returns the token for the suggestion URL: the signed-in reader's own or, without a session, the one in the URL of this
 * request if it is valid; '' for none.
 */
async function tokenOf(parts: OpenSearchPageParts, context: PageContext<{ for: string }>): Promise<string> {
  const { viewer, query } = context
  if (viewer) return areSuggestionsOn(context) ? suggestionToken(parts.signSuggestionToken, viewer) : ''
  const isValid = parts.suggestionsFor !== 'off' && (await userOfSuggestionToken(parts, query.for)) !== undefined
  return isValid ? query.for : ''
}
