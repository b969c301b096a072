// A list of places: name, kind, address, and links to maps. With a map of our own (`map-panel.ts`), they have numbers, and
// the links lead there. Otherwise, and without script, the map is an openstreetmap.org frame, added to the page only when
// the reader asks for it; until then, that site learns nothing.

import type { GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import { plainDecimal } from '@bowerbird/engines/parsing/geo-place.ts'
import { type MapLinks, mapLinks } from '../../maps/map-links.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { findText, type Words } from '../i18n/messages.ts'
import { capitalised } from '../parts/formats.ts'
import { externalLink, shortened } from '../search/result-parts.ts'
import { type IsOnMap, pinData } from './map-panel.ts'

const MAX_NAME_LENGTH = 200
const MAX_ADDRESS_LENGTH = 400
/** A precision of about a metre. */
const SHOWN_DECIMALS = 5

export interface PlaceListOptions {
  /** Which place's map is open, from 1. */
  shown: number
  /** The URL of this page with one place's map open, or with none. */
  addressWith: (shown: number | undefined) => string
  /** undefined: there is no map of our own. */
  isOnMap: IsOnMap | undefined
}

export const placeList = (context: PageContext, places: readonly GeoPlace[], options: PlaceListOptions): Html =>
  html`<ol class="results places">${places.map((place, at) => placeItem(context, place, { ...options, number: at + 1 }))}</ol>`

interface ItemOptions extends PlaceListOptions {
  number: number
}

function placeItem(context: PageContext, place: GeoPlace, options: ItemOptions): Html {
  const { number, shown, addressWith, isOnMap } = options
  const { preferences, words } = context
  const { maps } = words
  const links = mapLinks(place)
  const { name, address } = namesOf(place)
  const isShown = number === shown
  const hasPin = isOnMap?.(place)
  // The page sends a referrer for the sake of its map; its links don't need to.
  const externalLinkWithoutReferrer = (address: string) =>
    html`${externalLink(address, preferences)} referrerpolicy="no-referrer"`
  const mapAddress = `${addressWith(number)}#place-${number}`
  return html`<li class="result place" id="place-${number}"${hasPin && pinData(place)}${isShown && html` data-shown="true"`}><h2>${hasPin && html`<span class="place-number" aria-hidden="true">${number}</span>`}<a class="result-link" href="${mapAddress}" dir="auto">${name}</a></h2>
${address !== '' && html`<p class="snippet" dir="auto">${address}</p>`}
<div class="meta"><div>${kindOf(place, maps) !== '' && html`<span>${kindOf(place, maps)}</span>`}<span><a class="quiet" dir="ltr" href="${links.geoUri}" title="${maps.mapApp}">${formatPoint(place)}</a></span><span>${isShown ? html`<a href="${addressWith(undefined)}">${maps.hideMap}</a>` : html`<a href="${mapAddress}">${maps.showMap}</a>`}</span><span><a ${externalLinkWithoutReferrer(links.directionsUrl)}>${maps.directions}</a></span>${isShown && html`<span><a ${externalLinkWithoutReferrer(links.osmUrl)}>${maps.openStreetMap}</a></span>`}</div></div>
${isShown && (hasPin ? html`<noscript>${mapFrame(name, links, maps)}</noscript>` : mapFrame(name, links, maps))}</li>`
}

/** The frame may run its own scripts, but has no access to our page. */
const mapFrame = (name: string, { embedUrl }: MapLinks, words: Words['maps']): Html =>
  html`<iframe class="map" src="${embedUrl}" title="${words.mapOf({ name })}" sandbox="allow-scripts allow-same-origin allow-popups" allow=""></iframe>`

const HOUSE_NUMBER = /^\d[\w/-]{0,6}$/

/**
 * The full address starts with the name. A place without one gets the first part of its address, and a house, whose
 * first part is its number, the street too.
 */
function namesOf({ name, displayName }: GeoPlace): { name: string; address: string } {
  const [first = '', ...rest] = displayName.split(', ')
  const isHouse = HOUSE_NUMBER.test(name || first) && first === (name || first) && rest.length > 0
  const known = isHouse ? `${first}, ${rest[0]}` : name || first
  const address = displayName.startsWith(`${known}, `) ? displayName.slice(known.length + 2) : displayName
  return {
    name: shortened(known || rest.join(', '), MAX_NAME_LENGTH),
    address: address === known ? '' : shortened(address, MAX_ADDRESS_LENGTH),
  }
}

const TAG = /^[a-z][a-z_]{1,40}$/
/** Types that mean nothing without their category. */
const VAGUE = new Set(['yes', 'administrative', 'residential', 'unclassified'])

function kindOf({ type, addressType, category }: GeoPlace, { kinds }: Words['maps']): string {
  const tags = [type, addressType, category]
  const known = tags.find((tag) => Object.hasOwn(kinds, tag))
  if (known !== undefined) return findText(kinds, known) ?? ''
  const specificTag = tags.find((tag) => TAG.test(tag) && !VAGUE.has(tag)) ?? ''
  return capitalised(specificTag.replaceAll('_', ' '))
}

export const formatPoint = ({ lat, lon }: { lat: number; lon: number }): string =>
  `${plainDecimal(lat, SHOWN_DECIMALS)}, ${plainDecimal(lon, SHOWN_DECIMALS)}`
