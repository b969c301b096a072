// Makes an engine of a document. The document is interpreted with each call and not compiled, so that dozens of unused ones
// cost nothing at start; it is taken to be valid (`check-document.ts`).
import {
  type Engine,
  type EngineQuery,
  type EngineResponse,
  type EngineSettings,
  type EngineSuggest,
  type EngineTab,
  type Hit,
  type ProviderReply,
  TABS,
  type Tab,
} from '../engine.ts'
import { parseDuration, parseWrittenDate } from '../parsing/dates.ts'
import { httpAddress, pictureAddress } from '../parsing/http-address.ts'
import { asTitle, describeBadBody, jsonOrNothing, noSearchPage, readableHits } from '../parsing/json-reply.ts'
import { baseLanguage } from '../parsing/language-tag.ts'
import { readLicence } from '../parsing/licence.ts'
import { plainText } from '../parsing/plain-text.ts'
import { cutPage, hasAdultTag, imageHit, newsHit, sitelinksOf, videoHit, webHit } from '../parsing/read-hits.ts'
import { paperDescription, paperOf } from '../parsing/read-paper.ts'
import { softwareOf } from '../parsing/software.ts'
import { errorWithWait, queryRefused, secondsToWait, statusError, throttled } from '../parsing/status-error.ts'
import { type Setting, secret, setting } from '../setting.ts'
import { UpstreamError } from '../upstream-error.ts'
import type { DocumentReply, DocumentTab, EngineDocument, ErrorRule, Value } from './document-format.ts'
import { fillRequest, type Values } from './fill-template.ts'
import { feedItems } from './read-feed.ts'
import { MAX_ELEMENTS, meets, type Place, pointAt, readValue } from './read-value.ts'

export function engineFrom(document: EngineDocument): Engine {
  const { slug, name, homepage, keysUrl, longestQuery, hasNoContract, isBowerbird, tierOf, index, suggest } = document
  const tabs: Partial<Record<Tab, EngineTab<Hit, Values>>> = {}
  for (const each of TABS) {
    const tab = document.tabs?.[each]
    if (tab !== undefined) tabs[each] = engineTab(each, tab, document)
  }
  return {
    slug,
    name,
    homepage,
    ...(keysUrl !== undefined && { keysUrl }),
    ...(document.private && { isPrivate: true as const }),
    ...(hasNoContract && { hasNoContract }),
    ...(isBowerbird && { isBowerbird }),
    ...(tierOf !== undefined && { tierOf }),
    ...(index !== undefined && { index }),
    ...(longestQuery && { maxQueryLength: longestQuery }),
    settings: settingsOf(document),
    terms: termsOf(document),
    // Each tab reads its own type of hit; the names and the types were paired above.
    tabs: tabs as Engine['tabs'],
    ...(suggest && { suggest: engineSuggest(suggest, document) }),
  }
}

/** `apiKey` of `karakeep` is `KARAKEEP_API_KEY`. */
const envOf = (slug: string, name: string): string =>
  `${slug}_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`)}`.toUpperCase()

function settingsOf({ slug, auth, settings = {}, baseUrl }: EngineDocument): EngineSettings {
  const declared: Record<string, Setting> = {}
  const secretName = auth && ('bearer' in auth ? auth.bearer : 'basic' in auth ? auth.basic.password : auth.secret)
  if (secretName !== undefined) {
    const env = envOf(slug, secretName)
    declared[secretName] = auth?.optional ? secret(env, '') : secret(env)
  }
  for (const [name, { default: fallback, oneOf }] of Object.entries(settings)) {
    declared[name] = { ...setting(envOf(slug, name), fallback), ...(oneOf && { oneOf }) }
  }
  if (baseUrl === undefined) declared['linkUrl'] = setting(envOf(slug, 'linkUrl'), '')
  return { ...declared, baseUrl: setting(envOf(slug, 'url'), baseUrl) }
}

function termsOf({ terms, private: isPrivate }: EngineDocument): Engine['terms'] {
  const { cacheSeconds, asOf, cacheIn = 'memory', pricePerCallMicros = 0, attribution = '' } = terms
  const { isPriceUnknown, hasFreeKeys, rateLimit, dailyCalls, restSeconds, unverified } = terms
  return {
    cacheSeconds,
    cacheIn: isPrivate ? 'memory' : cacheIn,
    pricePerCallMicros,
    attribution,
    asOf,
    ...(isPriceUnknown && { isPriceUnknown }),
    ...(hasFreeKeys && { hasFreeKeys }),
    ...(rateLimit && { rateLimit }),
    ...(dailyCalls !== undefined && { dailyCalls }),
    ...(restSeconds !== undefined && { restSeconds }),
    ...(unverified !== undefined && { unverified }),
  }
}

const ACCEPT = { json: 'application/json', feed: 'application/rss+xml, application/atom+xml, application/xml;q=0.9' }

function engineTab(name: Tab, tab: DocumentTab, { auth, isBowerbird }: EngineDocument): EngineTab<Hit, Values> {
  const { paging, honours = [], byNature, languages, regions, operators, hasTextInAnyLanguage, knowsDates } = tab
  const { takesDateRange, imageFilters, priceFactor, reply } = tab
  return {
    lastPage: paging.lastPage,
    honours,
    ...(byNature && { byNature }),
    ...(languages && { languages }),
    ...(regions && { takesRegion: (region: string) => regions === 'any' || regions.includes(region) }),
    ...(operators && { operators }),
    ...(hasTextInAnyLanguage && { hasTextInAnyLanguage }),
    ...(knowsDates && { knowsDates }),
    ...(takesDateRange && { takesDateRange }),
    ...(imageFilters && { imageFilters: knownFilters(imageFilters) }),
    ...(reply.hit.width && reply.hit.height && { knowsSizes: true }),
    ...(reply.hit.licence && { knowsLicences: true }),
    ...(priceFactor !== undefined && { priceFactor }),
    request: (query, settings) =>
      fillRequest(tab.request, takesDateRange ? query : { ...query, dateFrom: undefined, dateTo: undefined }, {
        auth,
        settings,
        accept: ACCEPT[reply.as ?? 'json'],
        isBowerbird,
      }),
    parse: (answer, query, settings = {}) => readPage(name, tab, { answer, query, settings }),
    explainDropped: (answer, query, settings) => explainDropped(name, reply, { answer, query, settings }),
  }
}

const knownFilters = (
  filters: NonNullable<DocumentTab['imageFilters']>,
): NonNullable<EngineTab<Hit, Values>['imageFilters']> =>
  Object.fromEntries(Object.entries(filters).filter(([, values]) => values !== undefined))

interface Answered {
  answer: ProviderReply
  query: EngineQuery
  settings: Values
}

/** The results of a reply, each with what its values are read from; none if a rule says so. */
function placesIn(reply: DocumentReply, { answer, query, settings }: Answered): { reply: unknown; places: Place[] } {
  const whole = bodyOf(answer.body, reply.as)
  const rule = reply.errors?.find((each) => applies(each, { body: whole, answer, query }))
  if (rule?.means === 'empty') return { reply: whole, places: [] }
  if (rule) throw errorOf(rule, { body: whole, answer, query })
  if (answer.status < 200 || answer.status > 299) throw statusError(answer, query.now)
  if (whole === undefined) throw new UpstreamError('malformed', describeBadBody(answer.body, reply.as))
  const body = unwrapped(whole, reply.jsonIn)
  const common = placeWithin(reply, body, { query, settings })
  return { reply: body, places: resultsOf(body, reply).map((result, index) => ({ ...common, result, index })) }
}

const placeWithin = (
  reply: DocumentReply,
  body: unknown,
  { query, settings }: Omit<Answered, 'answer'>,
): Omit<Place, 'result' | 'index'> => ({
  reply: body,
  link: (settings['linkUrl'] || settings['baseUrl'] || '').replace(/\/+$/, ''),
  language: baseLanguage(query.lang) ?? '',
  settings,
  let: reply.let ?? {},
})

function readPage(
  name: Tab,
  { reply, paging }: Pick<DocumentTab, 'reply' | 'paging'>,
  answered: Answered,
): EngineResponse {
  const { page, safe, now } = answered.query
  const { reply: body, places } = placesIn(reply, answered)
  const correction = { ...placeWithin(reply, body, answered), result: body, index: 0 }
  const kept = keptOf(places, reply)
  // Cut before anything is dropped: the page before was cut like this, too.
  const onPage = paging.by === 'cut' ? cutPage(kept, page) : kept
  const shown = safe ? onPage.filter((place) => !isTaggedAdult(place, reply)) : onPage
  return {
    hits: readableHits(shown, (place) => readHit(name, reply, { place, now })),
    correction: asTitle(readValue(reply.correction, correction)),
  }
}

const isTaggedAdult = (place: Place, { tags }: DocumentReply): boolean =>
  tags !== undefined && hasAdultTag(pointAt(tags, place).flat())

function explainDropped(name: Tab, reply: DocumentReply, answered: Answered): string[] {
  return placesIn(reply, answered).places.flatMap((place) => {
    const unmet = reply.keep?.find((condition) => !meets(condition, place))
    if (unmet) return [`Result ${place.index + 1} does not meet the condition at ${unmet.at} in keep.`]
    if (answered.query.safe && isTaggedAdult(place, reply)) return [`Result ${place.index + 1} is tagged as adult.`]
    if (readHit(name, reply, { place, now: answered.query.now })) return []
    const needs = name === 'images' ? 'url and thumbnail' : 'url'
    return [`Result ${place.index + 1} has no http(s) address in ${needs}.`]
  })
}

/** The whole reply as a value; `undefined` if it isn't one. A feed is the list of its items. */
function bodyOf(body: string, as: DocumentReply['as']): unknown {
  if (as === 'feed') return feedItems(body)
  return jsonOrNothing(/^(?:event|data|id):/.test(body) ? eventData(body) : body)
}

/** The object or list in a text of the reply; the reply itself if there is none. */
function unwrapped(body: unknown, jsonIn: string | undefined): unknown {
  if (jsonIn === undefined) return body
  const [text] = pointAt(jsonIn, { reply: body, result: body })
  const value = typeof text === 'string' ? jsonOrNothing(text) : undefined
  return typeof value === 'object' && value !== null ? value : body
}

/** The data of an event stream with a single event, which some providers send instead of JSON. */
function eventData(body: string): string {
  const [data = '', ...others] = body.split(/\r?\n/).filter((line) => line.startsWith('data:'))
  return others.length === 0 ? data.slice('data:'.length) : ''
}

interface Judged {
  body: unknown
  answer: ProviderReply
  query: EngineQuery
}

const applies = ({ status, when, page }: ErrorRule, { body, answer, query }: Judged): boolean =>
  (status === undefined || status === answer.status) &&
  (page === undefined || query.page > 1) &&
  (when === undefined || (body !== undefined && meets(when, { reply: body, result: body })))

/** A number, or the first in a text: `Expected available in 2913 seconds.` */
const numberIn = (value: unknown): number =>
  typeof value === 'string' ? Number(/\d+/.exec(value)?.[0]) : Number(value)

function errorOf({ means, waitSeconds }: ErrorRule, { body, answer, query }: Judged): UpstreamError {
  const [wait] = typeof waitSeconds === 'string' ? pointAt(waitSeconds, { reply: body, result: body }) : [waitSeconds]
  const seconds = secondsToWait(answer, query.now, numberIn(wait))
  if (means === 'throttled') return throttled(answer, query.now, seconds)
  if (means === 'blocked') return errorWithWait('blocked', 'The provider refuses this server.', seconds)
  if (means === 'unreachable') return errorWithWait('unreachable', 'The provider is out of order.', seconds)
  return means === 'query' ? queryRefused() : errorWithWait('rejected', 'The provider refused the request.', seconds)
}

/** The results of all lists that are there. None is no search page: an outage must not look like "nothing found". */
function resultsOf(body: unknown, { results = '', mayLack }: DocumentReply): unknown[] {
  const lists = (typeof results === 'string' ? [results] : results).flatMap((pointer) => {
    const found = pointAt(pointer, { reply: body, result: body })
    if (pointer.endsWith('/*')) return found.length === 0 ? [] : [found]
    return found.flatMap((list) => {
      if (Array.isArray(list)) return [list as unknown[]]
      const isTable = typeof list === 'object' && list !== null && list !== body
      return isTable ? [Object.values(list) as unknown[]] : []
    })
  })
  const isFoundNothing = mayLack !== undefined && meets(mayLack, { reply: body, result: body })
  if (lists.length === 0 && !isFoundNothing) throw noSearchPage()
  return lists.flat().slice(0, MAX_ELEMENTS)
}

/** If a member that decides is in none of the results, the provider has changed: that isn't "nothing found" either. */
function keptOf(places: readonly Place[], { keep = [] }: DocumentReply): Place[] {
  for (const { at, is } of keep) {
    const isUnknown = (place: Place) => pointAt(at, place).length === 0
    if (is !== undefined && places.length > 0 && places.every(isUnknown)) throw noSearchPage()
  }
  return places.filter((place) => keep.every((condition) => meets(condition, place)))
}

function readHit(name: Tab, { hit }: DocumentReply, { place, now }: { place: Place; now: number }): Hit | undefined {
  const text = (value: Value | undefined) => readValue(value, place)
  const absolute = (address: string) =>
    /^\/(?!\/)/.test(address) && URL.canParse(place.link) ? new URL(place.link).origin + address : address
  const address = (value: Value | undefined) =>
    absolute(readValue(value, place, (found) => httpAddress(absolute(found)) !== ''))
  const picture = (value: Value | undefined) =>
    absolute(readValue(value, place, (found) => pictureAddress(absolute(found)) !== ''))
  const fields = {
    url: address(hit.url),
    title: text(hit.title),
    description: text(hit.description),
    publisher: text(hit.publisher),
    publishedAt: parseWrittenDate(text(hit.publishedAt), now),
    thumbnails: [picture(hit.thumbnail)],
  }
  if (name === 'images') {
    return imageHit({
      ...fields,
      picture: picture(hit.picture),
      size: [text(hit.width), text(hit.height)],
      creator: text(hit.creator),
      licence: readLicence(text(hit.licence), address(hit.licenceUrl)),
    })
  }
  if (name === 'news') return newsHit(fields)
  if (name === 'videos') return videoHit({ ...fields, durationSeconds: durationOf(text(hit.durationSeconds)) })
  const links = Object.entries(hit.sitelinks ?? {}).map(([title, value]) => [title, address(value)])
  const { stars, downloads, language, licence, version } = hit.software ?? {}
  const web = webHit({
    ...fields,
    favicon: picture(hit.favicon),
    sitelinks: sitelinksOf(Object.fromEntries(links)),
    software:
      name === 'code'
        ? softwareOf({
            stars: text(stars),
            downloads: text(downloads),
            language: text(language),
            licence: text(licence),
            version: text(version),
          })
        : undefined,
  })
  if (!web || !hit.paper || name !== 'science') return web
  const { authors, venue, year, doi, citedBy } = hit.paper
  const paper = paperOf({
    authors: plainText(text(authors)).split(NAME_END),
    journal: text(venue),
    published: text(year),
    doi: text(doi),
    citedBy: text(citedBy),
    abstract: fields.description,
  })
  return { ...web, description: paperDescription(paper), paper }
}

/** What a value joins its elements by, and what names are often joined by. */
const NAME_END = / … |; /

const durationOf = (text: string): number | undefined =>
  parseDuration(text !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

function engineSuggest(
  { request, list, text = '', languages }: NonNullable<EngineDocument['suggest']>,
  { auth, isBowerbird }: EngineDocument,
): EngineSuggest<Values> {
  return {
    ...(languages && { languages }),
    request: (query, settings) => fillRequest(request, query, { auth, settings, accept: ACCEPT.json, isBowerbird }),
    parse: (answer) => {
      if (answer.status < 200 || answer.status > 299) throw statusError(answer, Number.NaN)
      const body = bodyOf(answer.body, 'json')
      const [results] = pointAt(list, { reply: body, result: body })
      if (!Array.isArray(results)) throw new UpstreamError('malformed', 'The provider answered with no completions.')
      const place = { reply: body, link: '', language: '', settings: {}, let: {} }
      const texts = results
        .slice(0, MAX_ELEMENTS)
        .map((result, index) => asTitle(readValue(text, { ...place, result, index })))
        .filter((completion) => completion !== '')
      if (results.length > 0 && texts.length === 0) throw noSearchPage()
      return texts
    },
  }
}
