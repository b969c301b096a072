// A place finder: names or addresses, one a line, become GeoJSON for any map program.
//
//   printf 'Eiffel Tower\nGreenwich Observatory\n' | node place-finder.mjs > places.geojson
//
// What isn't found is named on standard error. The data is © OpenStreetMap contributors (ODbL): say so on your map.
import { createInterface } from 'node:readline'
import { Bowerbird, BowerbirdError } from '@bowerbird/client'

const { BOWERBIRD_URL: url = '', BOWERBIRD_KEY: key = '' } = process.env

// A list is in no hurry: wait out a limit of a minute.
const bowerbird = new Bowerbird({ url, key, timeoutMs: 120_000 })
const features = []

for await (const line of createInterface({ input: process.stdin })) {
  const q = line.trim()
  if (q === '') continue
  try {
    const [place] = (await bowerbird.maps({ q, limit: 1 })).places
    if (place === undefined) console.error(`not found: ${q}`)
    else features.push(featureOf(q, place))
  } catch (error) {
    // One line that the service refuses mustn't cost the rest.
    if (!(error instanceof BowerbirdError) || error.status !== 400) throw error
    console.error(`not a place: ${q} (${error.message})`)
  }
}

console.log(JSON.stringify({ type: 'FeatureCollection', features }, null, 2))

/**
 * @param {string} query
 * @param {import('@bowerbird/client').Place} place
 */
function featureOf(query, { name, display_name, lat, lon, osm_url, geo_uri }) {
  return {
    type: 'Feature',
    // GeoJSON has the longitude first.
    geometry: { type: 'Point', coordinates: [lon, lat] },
    properties: { query, name, display_name, osm_url, geo_uri, attribution: '© OpenStreetMap contributors' },
  }
}
