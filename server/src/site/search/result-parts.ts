// Parts that results of several tabs share: links, the address line, the engine dots with "why here", and pictures.

import { hash } from 'node:crypto'
import { type Tab, UNKNOWN_INDEX } from '@bowerbird/engines/engine.ts'
import { hostOf, httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { visibleText } from '@bowerbird/reader/visible-text.ts'
import type { MergedHit } from '../../search/merge.ts'
import type { Search, SearchAnswer } from '../../search/search.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Locale, Words } from '../i18n/messages.ts'
import { showAge } from '../parts/formats.ts'
import type { PictureKind, Pictures } from '../pictures.ts'

/** What the parts of a results page need besides the results. */
export interface ResultView {
  words: Words['search']
  reading: Words['reading']
  papers: Words['papers']
  sites: Words['sites']
  software: Words['software']
  videos: Words['videos']
  frame: Words['frame']
  locale: Locale
  now: number
  /** The slots that serve this tab, in order. */
  engines: readonly ServingSlot[]
  pictures: Pictures | undefined
  showsIcons: boolean
  newTab: boolean
  /** The Read link of a page; '' if there is none. */
  toRead: (address: string) => string
  /** The menu at a result. */
  menuOf: MenuOf
  /** Whether many results of one site in a row are folded. */
  folds: boolean
}

export type MenuOf = (merged: MergedHit<{ url: string }>, page?: PageLinks) => Html | false

/** What can be done with a result besides what its address allows. */
export interface PageLinks {
  /** Its link to the Read view. */
  read?: Html | false
  /** The id of what explains its rank. */
  why?: string
}

/** A slot that serves a tab, with the names of its providers there. */
interface ServingSlot {
  slot: string
  name: string
  /** The one index that it shows; '' if there are several, or one isn't known. */
  index: string
}

export interface ResultViewParts {
  search: Search
  /** undefined: pictures are never shown. */
  pictures: Pictures | undefined
  /** RESULT_ICONS: results show the icon of their site, through the picture proxy; otherwise a letter. */
  showsIcons: boolean
}

export function resultViewOf(
  context: PageContext,
  { tab, now }: Pick<SearchAnswer, 'tab' | 'now'>,
  { search, pictures, showsIcons }: ResultViewParts,
): ResultView {
  const { words, locale, preferences } = context
  return {
    words: words.search,
    reading: words.reading,
    papers: words.papers,
    sites: words.sites,
    software: words.software,
    videos: words.videos,
    frame: words.frame,
    locale,
    now,
    engines: enginesOf(search, tab),
    pictures,
    showsIcons,
    newTab: preferences.newTab,
    toRead: () => '',
    menuOf: () => false,
    folds: false,
  }
}

export const enginesOf = (search: Search, tab: Tab): ServingSlot[] =>
  search.slotNames
    .map((slot) => ({ slot, name: search.labelOf(slot, tab), index: search.indexOf(slot, tab) }))
    .filter(({ name }) => name !== '')

/** The slots that have a dot in common, because they show the same index; every other slot by itself. */
export const dotsOf = (engines: readonly ServingSlot[]): string[][] =>
  [...Map.groupBy(engines, ({ slot, index }) => index || `${slot} `).values()].map((sharing) =>
    sharing.map(({ slot }) => slot),
  )

/**
 * The attributes of a link to a third-party page. Adapters already let only http(s) through; this is a second check.
 * The `Referrer-Policy` header keeps the third-party page from learning where its reader came from.
 */
export const externalLink = (address: string, { newTab }: Pick<ResultView, 'newTab'>): Html =>
  html`href="${httpAddress(address) || '#'}"${newTab && html` target="_blank" rel="noopener"`}`

const lists = new Map<Locale, Intl.ListFormat>()

/** Joins names as the language does: `Brave, Mojeek and Marginalia`. */
export function joinNames(names: readonly string[], locale: Locale): string {
  const format = lists.get(locale) ?? new Intl.ListFormat(locale)
  lists.set(locale, format)
  return format.format(names)
}

/** The icon, and `host › path`, which is always written from left to right. */
export function addressLine(address: string, icon: string, view: Pick<ResultView, 'pictures' | 'showsIcons'>): Html {
  const { host, path } = shownAddress(address)
  return html`<p class="where">${iconOf(icon || `https://${host}/favicon.ico`, host, view)}<cite dir="ltr"><b>${host}</b>${path !== '' && ` › ${path}`}</cite></p>`
}

/** Fetching an icon tells a site that it is among someone's results, so the operator decides whether to show icons. */
function iconOf(
  address: string,
  host: string,
  { pictures, showsIcons }: Pick<ResultView, 'pictures' | 'showsIcons'>,
): Html {
  const source = showsIcons && pictures?.signedPath(address, 'icon')
  if (source) return html`<img class="icon" src="${source}" alt="" width="16" height="16" loading="lazy">`
  return letterIcon(host)
}

/** The first letter of a name, where there is no icon. */
export const letterIcon = (name: string): Html => html`<span class="icon" aria-hidden="true">${letterOf(name)}</span>`

/** A picture, or the first letter of its title in a square if there is none to show. */
export function pictureOf(address: string, title: string, { pictures, kind }: PictureOptions): Html {
  const source = address === '' ? '' : pictures?.signedPath(address, kind)
  if (source) return html`<img class="picture" src="${source}" alt="" loading="lazy">`
  return html`<span class="picture letter" aria-hidden="true">${letterOf(title)}</span>`
}

interface PictureOptions {
  pictures: ResultView['pictures']
  kind: PictureKind
}

const LETTER = /[\p{L}\p{N}]/u

const letterOf = (text: string): string => (LETTER.exec(text)?.[0] ?? '·').toUpperCase()

interface MetaParts {
  facts: readonly Piece[]
  /** Its link to the Read view, for the menu. */
  read?: Html | false
  /** A list, which comes first, and on the same line if there is room. */
  links?: Html | false
  /** What opens, after the engines. */
  more?: Html
}

/** Age, other facts, the engines, and the menu. */
export function meta(
  merged: MergedHit<{ url: string; publishedAt?: number | undefined }>,
  { facts, read = false, links = false, more }: MetaParts,
  view: ResultView,
): Html {
  const shown = [showAge(merged.hit.publishedAt, view), ...facts].filter(Boolean)
  return html`<div class="meta"><div>${links}${shown.map((fact) => html`<span>${fact}</span>`)}${engineDots(merged, view)}${more}</div>${view.menuOf(merged, { read, why: whyId(merged) })}</div>`
}

/** Of the address, so that results which arrive later don't change it. */
const whyId = ({ hit }: MergedHit<{ url: string }>): string => `why-${hash('sha256', hit.url, 'base64url').slice(0, 8)}`

/**
 * Names the first engine that returned the result and counts the others; of several engines in the tab, each also has a
 * dot, filled if it returned the result. Engines that show the same index have one together: they confirm nothing. Expands
 * to where each ranked it and what that contributed; a link to what is inside opens it, too.
 */
export function engineDots(merged: MergedHit<{ url: string }>, view: ResultView): Html {
  const { slots, contributions, adjustments = [], score } = merged
  const { engines, words, sites, locale } = view
  // If a slot has two providers, name only those that returned the result.
  const names = [...new Set(contributions.map(({ name }) => name))]
  const all = joinNames(names, locale)
  const label = names.length > 1 ? `${names[0]} + ${names.length - 1}` : all
  const dots =
    engines.length > 1 &&
    dotsOf(engines).map((sharing) => (sharing.some((slot) => slots.includes(slot)) ? FILLED : HOLLOW))
  const shared = sharedIndexes(contributions).map(
    (sharers) => html`<p>${words.why.sameIndex({ engines: joinNames(sharers, locale) })}</p>`,
  )
  const number = numberFormatFor(locale)
  const places = joinNames(
    contributions.map(({ name, rank }) => words.why.place({ rank, engine: name })),
    locale,
  )
  const added = [
    ...contributions,
    ...adjustments.map(({ action, addition }) => ({ name: sites.why[action], addition })),
  ]
  const rows = added.map(
    ({ name, addition }) =>
      html`<tr><th scope="row">${name}</th><td>${addition >= 0 && '+'}${number.format(addition)}</td></tr>`,
  )
  return html`<details class="why" name="menu"><summary title="${all}">${label}<span class="visually-hidden">. ${words.foundBy({ engines: all })}</span>${dots}</summary><div id="${whyId(merged)}"><p>${words.why.ranked({ places })}</p>${shared}<table>${rows}<tr><th scope="row">${words.why.score}</th><td>${number.format(score)}</td></tr></table></div></details>`
}

/** The names of the engines that returned the result from the same index, for each such index. */
const sharedIndexes = (contributions: MergedHit['contributions']): string[][] =>
  [...Map.groupBy(contributions, ({ index }) => index)]
    .filter(([index]) => index !== UNKNOWN_INDEX)
    .map(([, sharers]) => [...new Set(sharers.map(({ name }) => name))])
    .filter((names) => names.length > 1)

const FILLED = html`<i class="dot on"></i>`
const HOLLOW = html`<i class="dot"></i>`

const numbers = new Map<string, Intl.NumberFormat>()

function numberFormatFor(locale: string): Intl.NumberFormat {
  const format = numbers.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  numbers.set(locale, format)
  return format
}

/**
 * Shortens third-party text to a length that suits a page. The stylesheet hides what doesn't fit on screen; this keeps
 * it from being sent: ten results of ten kilobytes each are too much.
 */
export const shortened = (text: string, maxLength: number): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}…` : text

const MAX_PATH_LENGTH = 80
const MAX_PATH_PARTS = 6

/**
 * Formats a URL for people: `example.org › guides › oak`. Escapes are decoded, unless that would give characters that
 * reverse or hide the text next to them.
 */
export function shownAddress(address: string): { host: string; path: string } {
  const host = hostOf(address)
  const plain = address.split(/[?#]/, 1)[0] ?? ''
  const start = plain.indexOf('/', plain.indexOf('//') + 2)
  if (start === -1) return { host, path: '' }
  const parts = plain.slice(start).split('/').filter(Boolean)
  const shown = parts.length > MAX_PATH_PARTS ? [...parts.slice(0, MAX_PATH_PARTS - 1), '…', parts.at(-1) ?? ''] : parts
  return { host, path: shortened(shown.map(decodePart).join(' › '), MAX_PATH_LENGTH) }
}

function decodePart(part: string): string {
  if (!part.includes('%')) return part
  try {
    const text = decodeURIComponent(part)
    return visibleText(text) === text ? text : part
  } catch {
    // The escapes aren't valid UTF-8: show them as they are.
    return part
  }
}
