// The map beside the places on the maps tab: a numbered pin for each, tied to its row. Everything comes from this site: the
// library, its worker, our style, and the tiles, as ranges of one file. Without a map the list has the whole page.
const panel = document.querySelector('.map-panel')
const { library, worker, style, tiles: tilesPath, bounds, lang, ...texts } = panel.dataset

const numbers = (text) => text.split(' ').map(Number)
// As the library writes a box: west, south, east, north. East of the antimeridian goes on counting.
const boxOf = (text) => {
  const [west, south, east, north] = numbers(text)
  return [west, south, east < west ? east + 360 : east, north]
}

const places = [...document.querySelectorAll('.place[data-point]')].map((row) => ({
  row,
  number: row.querySelector('.place-number').textContent,
  link: row.querySelector('.result-link'),
  point: numbers(row.dataset.point),
  box: row.dataset.box && boxOf(row.dataset.box),
}))

const CLOSE_ZOOM = 15
const MARGIN = 48
const narrow = matchMedia('(width < 56.25rem)')

const around = (points) => {
  const [lons, lats] = [0, 1].map((axis) => points.map((point) => point[axis]))
  return [Math.min(...lons), Math.min(...lats), Math.max(...lons), Math.max(...lats)]
}

function firstView() {
  const shown = places.find(({ row }) => row.dataset.shown) ?? (places.length === 1 ? places[0] : undefined)
  return shown ? (shown.box ?? around([shown.point])) : around(places.map(({ point }) => point))
}

// The library knows no `light-dark()` nor variables: an element of the page resolves them.
function readColours() {
  const probe = panel.appendChild(document.createElement('i'))
  // With forced colours, all of them would be that of text.
  probe.style.forcedColorAdjust = 'none'
  const colour = (name) => {
    probe.style.color = `var(--map-${name})`
    return getComputedStyle(probe).color
  }
  const names = ['land', 'green', 'water', 'building', 'road', 'highway', 'border', 'label', 'quiet']
  const colours = Object.fromEntries(names.map((name) => [name, colour(name)]))
  probe.remove()
  return colours
}

function tie(place, at, pin) {
  pin.className = 'pin'
  pin.type = 'button'
  pin.textContent = place.number
  pin.ariaLabel = `${place.number}. ${place.link.textContent}`
  // The first place is the best, and is seen where several are at one point.
  pin.style.setProperty('--order', places.length - at)
  for (const element of [place.row, pin]) {
    const mark = (isActive) => () => {
      pin.classList.toggle('is-active', isActive)
      place.row.classList.toggle('is-active', isActive)
    }
    element.addEventListener('pointerenter', mark(true))
    element.addEventListener('pointerleave', mark(false))
    element.addEventListener('focusin', mark(true))
    element.addEventListener('focusout', mark(false))
  }
  pin.addEventListener('click', () => place.link.focus())
  return pin
}

async function draw() {
  const [{ addProtocol, Map: MapView, Marker, Protocol, setWorkerUrl }, { styleOf }] = await Promise.all(
    [library, style].map((address) => import(address)),
  )
  setWorkerUrl(new URL(worker, location.href).href)
  addProtocol('pmtiles', new Protocol().tile)
  const styleNow = () => styleOf({ tiles: `pmtiles://${location.origin}${tilesPath}`, lang, colours: readColours() })

  const map = new MapView({
    container: panel.querySelector('.map-view'),
    style: styleNow(),
    bounds: firstView(),
    fitBoundsOptions: { padding: MARGIN, maxZoom: CLOSE_ZOOM },
    maxBounds: boxOf(bounds),
    // In the page, where it is seen before the map is.
    attributionControl: false,
    dragRotate: false,
    maxPitch: 0,
    locale: {
      'Map.Title': texts.title,
      'CooperativeGesturesHandler.MobileHelpText': texts.twoFingers,
      'CooperativeGesturesHandler.WindowsHelpText': texts.ctrlScroll,
      'CooperativeGesturesHandler.MacHelpText': texts.commandScroll,
    },
    // On a phone, a finger on the map scrolls the page.
    cooperativeGestures: narrow.matches,
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  narrow.addEventListener('change', () => map.cooperativeGestures[narrow.matches ? 'enable' : 'disable']())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => map.setStyle(styleNow()))
  panel.querySelector('[data-zoom="in"]').addEventListener('click', () => map.zoomIn())
  panel.querySelector('[data-zoom="out"]').addEventListener('click', () => map.zoomOut())

  for (const [at, place] of places.entries()) {
    const element = tie(place, at, document.createElement('button'))
    new Marker({ element }).setLngLat(place.point).addTo(map)
    place.row.addEventListener('click', (event) => {
      const link = event.target.closest('a')
      if (!link?.hash.startsWith('#place-') || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      panel.scrollIntoView({ block: 'nearest' })
      map.fitBounds(place.box ?? around([place.point]), {
        padding: MARGIN,
        maxZoom: Math.max(CLOSE_ZOOM, map.getZoom()),
      })
    })
  }

  await new Promise((resolve, reject) => {
    map.once('load', resolve)
    map.on('error', ({ error }) => reject(error))
  })
  panel.dataset.drawn = ''
}

// Without WebGL, or if the file is another one by now, the links are what there is.
draw().catch(() => {
  panel.parentElement.classList.remove('with-map')
  panel.remove()
})
