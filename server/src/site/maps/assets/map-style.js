// Our style for the Protomaps basemap, version 4 of its layers (docs.protomaps.com/basemaps/layers): paper land, hairline
// roads, quiet labels. Letters are drawn by the browser from its own fonts: a style that names no glyphs loads none.
const FONT = ['system-ui', 'sans-serif']

const GREEN = ['park', 'forest', 'wood', 'nature_reserve', 'national_park', 'grass', 'garden', 'meadow', 'cemetery']

const isKind = (...kinds) => ['in', ['get', 'kind'], ['literal', kinds]]

// Widths in pixels at each zoom, growing as the map does.
const growing = (...stops) => ['interpolate', ['exponential', 1.6], ['zoom'], ...stops]

const ROADS = [
  { id: 'paths', kinds: ['path', 'other'], minzoom: 14, colour: 'road', width: growing(14, 0.5, 18, 2), dash: [3, 2] },
  { id: 'rails', kinds: ['rail'], minzoom: 11, colour: 'border', width: growing(11, 0.5, 18, 2), dash: [4, 2] },
  { id: 'minor-roads', kinds: ['minor_road'], minzoom: 11, colour: 'road', width: growing(11, 0.3, 14, 1.5, 18, 12) },
  { id: 'major-roads', kinds: ['major_road'], minzoom: 7, colour: 'road', width: growing(7, 0.4, 12, 1.5, 18, 18) },
  { id: 'highways', kinds: ['highway'], minzoom: 4, colour: 'highway', width: growing(4, 0.4, 10, 1.5, 18, 22) },
]

export function styleOf({ tiles, lang, colours }) {
  const name = ['coalesce', ['get', `name:${lang}`], ['get', 'name']]
  const layer = (id, sourceLayer, rest) => ({ id, source: 'map', 'source-layer': sourceLayer, ...rest })
  const fill = (id, sourceLayer, { colour, minzoom = 0, filter = ['==', ['geometry-type'], 'Polygon'] }) =>
    layer(id, sourceLayer, { type: 'fill', minzoom, filter, paint: { 'fill-color': colours[colour] } })
  const line = (id, sourceLayer, { kinds, minzoom, colour, width, dash }) =>
    layer(id, sourceLayer, {
      type: 'line',
      minzoom,
      filter: ['all', ['==', ['geometry-type'], 'LineString'], isKind(...kinds)],
      layout: { 'line-cap': dash ? 'butt' : 'round', 'line-join': 'round' },
      paint: { 'line-color': colours[colour], 'line-width': width, ...(dash && { 'line-dasharray': dash }) },
    })
  const label = (id, sourceLayer, { colour = 'label', minzoom = 0, maxzoom = 24, filter, layout }) =>
    layer(id, sourceLayer, {
      type: 'symbol',
      minzoom,
      maxzoom,
      filter,
      layout: { 'text-field': name, 'text-font': FONT, 'text-max-width': 8, ...layout },
      paint: { 'text-color': colours[colour], 'text-halo-color': colours.land, 'text-halo-width': 1.2 },
    })

  return {
    version: 8,
    sources: { map: { type: 'vector', url: tiles } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': colours.land } },
      fill('earth', 'earth', { colour: 'land' }),
      fill('green', 'landuse', { colour: 'green', filter: isKind(...GREEN) }),
      fill('water', 'water', { colour: 'water' }),
      line('rivers', 'water', {
        kinds: ['river', 'canal'],
        minzoom: 8,
        colour: 'water',
        width: growing(8, 0.5, 18, 10),
      }),
      line('streams', 'water', { kinds: ['stream'], minzoom: 13, colour: 'water', width: growing(13, 0.5, 18, 4) }),
      fill('buildings', 'buildings', { colour: 'building', minzoom: 14 }),
      ...ROADS.map((road) => line(road.id, 'roads', road)),
      line('borders', 'boundaries', {
        kinds: ['country', 'region'],
        minzoom: 0,
        colour: 'border',
        width: growing(2, 0.6, 12, 1.5),
        dash: [4, 3],
      }),
      label('road-names', 'roads', {
        colour: 'quiet',
        minzoom: 13,
        filter: isKind('highway', 'major_road', 'minor_road'),
        layout: { 'symbol-placement': 'line', 'text-size': 11 },
      }),
      label('house-numbers', 'buildings', {
        colour: 'quiet',
        minzoom: 17,
        filter: isKind('address'),
        layout: { 'text-field': ['get', 'addr_housenumber'], 'text-size': 10 },
      }),
      label('water-names', 'water', {
        colour: 'quiet',
        filter: ['==', ['geometry-type'], 'Point'],
        layout: { 'text-size': 12 },
      }),
      label('neighbourhoods', 'places', {
        colour: 'quiet',
        minzoom: 11,
        filter: isKind('neighbourhood', 'macrohood'),
        layout: { 'text-size': 12 },
      }),
      label('localities', 'places', {
        minzoom: 3,
        filter: isKind('locality'),
        layout: {
          // The largest first where there is no room for all.
          'symbol-sort-key': ['-', ['coalesce', ['get', 'population_rank'], 0]],
          'text-size': [
            'interpolate',
            ['linear'],
            ['zoom'],
            4,
            11,
            12,
            ['case', ['>=', ['coalesce', ['get', 'population_rank'], 0], 9], 18, 14],
          ],
        },
      }),
      label('countries', 'places', { maxzoom: 7, filter: isKind('country'), layout: { 'text-size': 13 } }),
    ],
  }
}
