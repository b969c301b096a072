// The map beside the list of places, for browsers with script (`assets/map.js`). It is there only if the operator's map
// shows at least one of the places; the others have no pin.
import type { GeoBox, GeoPlace } from '@bowerbird/engines/parsing/geo-place.ts'
import type { MapTiles } from '../../maps/map-tiles.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { externalLink } from '../search/result-parts.ts'
import { mapAssets } from './map-assets.ts'
import { tilesPath } from './tiles-page.ts'

const COPYRIGHT = 'https://www.openstreetmap.org/copyright'

/** For the places that the map shows; undefined: there is no map. */
export type IsOnMap = (place: GeoPlace) => boolean

export function mapFor(mapTiles: MapTiles | undefined, places: readonly GeoPlace[]): IsOnMap | undefined {
  if (!mapTiles) return undefined
  const isOnMap: IsOnMap = (place) => isWithin(place, mapTiles.bounds)
  return places.some(isOnMap) ? isOnMap : undefined
}

const isWithin = ({ lat, lon }: GeoPlace, { south, west, north, east }: GeoBox): boolean =>
  lat >= south && lat <= north && lon >= west && lon <= east

const boxText = ({ west, south, east, north }: GeoBox): string => [west, south, east, north].join(' ')

/** For the row of a place with a pin. */
export const pinData = ({ lat, lon, box }: GeoPlace): Html =>
  html` data-point="${lon} ${lat}"${box && html` data-box="${boxText(box)}"`}`

export function mapPanel(mapTiles: MapTiles | undefined, { preferences, language, words }: PageContext): Html {
  if (!mapTiles) return html``
  const { library, worker, style, script } = mapAssets()
  const texts = words.maps.ownMap
  return html`<script type="module" src="${script.path}"></script>
<div class="map-panel" data-library="${library.path}" data-worker="${worker.path}" data-style="${style.path}" data-tiles="${tilesPath(mapTiles)}" data-bounds="${boxText(mapTiles.bounds)}" data-lang="${preferences.lang || language}" data-title="${texts.title}" data-two-fingers="${texts.twoFingers}" data-ctrl-scroll="${texts.ctrlScroll}" data-command-scroll="${texts.commandScroll}">
<div class="map-view"></div>
<div class="map-zoom"><button type="button" data-zoom="in" aria-label="${texts.zoomIn}">+</button><button type="button" data-zoom="out" aria-label="${texts.zoomOut}">−</button></div>
<p class="map-credit"><a ${externalLink(COPYRIGHT, preferences)} referrerpolicy="no-referrer">${texts.credit}</a></p></div>`
}
