// The viewer beside the grid of images, in windows with room for it. A tile opens it, arrow keys move, Escape closes it,
// and so does the Back button. What it shows is in the attributes of the tiles.
const viewer = document.querySelector('.viewer')
const findTiles = () => [...document.querySelectorAll('.image-grid [data-picture]')]
let tiles = findTiles()
const isWide = matchMedia('(width >= 1100px)')
const isLeftwards = getComputedStyle(document.documentElement).direction === 'rtl'
const one = (selector) => viewer.querySelector(selector)
let at = -1
/** Pictures that are loaded or about to be, by the place of their tile: those that the next key may ask for. */
let ready = new Map()

/** A place as large as the picture will be: nothing moves when it comes. */
function imageOf(tile, path) {
  const { width, height } = tile.dataset
  const image = width ? new Image(width, height) : new Image()
  image.alt = ''
  image.src = path
  return image
}

/** Decoded, too, so that it can be drawn at once. */
function load(index) {
  const tile = tiles[index]
  if (!tile?.dataset.picture) return undefined
  const picture = ready.get(index) ?? imageOf(tile, tile.dataset.picture)
  ready.set(index, picture)
  picture.decode().catch(() => undefined)
  return picture
}

function write(name, text, address) {
  const place = one(`[data-fact=${name}]`)
  place.textContent = text ?? ''
  place.closest('div').hidden = !text
  if (place.localName !== 'a') return
  if (address) place.href = address
  else place.removeAttribute('href')
}

/** The small picture is there at once, and the large one takes its place as soon as it can be drawn. */
function draw(tile) {
  const index = at
  const picture = load(index)
  ready = new Map([...ready].filter(([place]) => Math.abs(place - index) <= 2))
  one('.viewer-picture').hidden = !picture
  if (!picture) return
  const put = (image) => {
    if (at === index) one('img').replaceWith(image)
  }
  put(
    picture.complete && picture.naturalWidth > 0
      ? picture
      : imageOf(tile, tile.querySelector('img')?.src ?? picture.src),
  )
  const neighbours = () => {
    if (at === index) for (const step of [1, -1]) load(index + step)
  }
  // The small picture stays if there is no large one.
  picture
    .decode()
    .then(() => put(picture))
    .catch(() => undefined)
    .then(neighbours)
}

function showPlace() {
  one('[data-step="-1"]').disabled = at === 0
  one('[data-step="1"]').disabled = at === tiles.length - 1
  one('[data-place]').textContent = `${at + 1} / ${tiles.length}`
}

function show(index) {
  const tile = tiles[index]
  if (!tile) return
  tiles[at]?.removeAttribute('aria-current')
  at = index
  tile.setAttribute('aria-current', 'true')
  viewer.hidden = false
  viewer.closest('.columns').classList.add('viewing')
  const { page, width, height, creator, licence, terms } = tile.dataset
  one('h2').textContent = tile.querySelector('.caption-title').textContent
  one('[data-host]').textContent = tile.querySelector('.caption-title + *').textContent
  write('size', width && `${width} × ${height}`)
  write('creator', creator)
  write('licence', licence, terms)
  for (const link of viewer.querySelectorAll('[data-open]')) link.href = page
  one('[data-similar]').href = `${tile.href}#similar`
  showPlace()
  draw(tile)
  tile.scrollIntoView({ block: 'nearest' })
}

function hide() {
  if (at === -1) return
  const tile = tiles[at]
  at = -1
  ready.clear()
  viewer.hidden = true
  viewer.closest('.columns').classList.remove('viewing')
  tile.removeAttribute('aria-current')
  tile.focus()
}

const hashOf = (index) => `#image-${index + 1}`
const indexIn = (hash) => Number(/^#image-(\d{1,3})$/.exec(hash)?.[1] ?? 0) - 1

/** Back closes it if it was opened here. */
function close() {
  if (history.state?.isViewer) return history.back()
  history.replaceState(null, '', location.pathname + location.search)
  hide()
}

function move(step) {
  if (!tiles[at + step]) return
  show(at + step)
  history.replaceState(history.state, '', hashOf(at))
}

function follow() {
  const index = indexIn(location.hash)
  if (tiles[index] && isWide.matches) show(index)
  else hide()
}

if (viewer && tiles.length > 0) {
  document.addEventListener('click', (event) => {
    const tile = event.target.closest('.image-grid [data-picture]')
    if (!tile || !isWide.matches || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    const index = tiles.indexOf(tile)
    if (at === -1) history.pushState({ isViewer: true }, '', hashOf(index))
    else history.replaceState(history.state, '', hashOf(index))
    show(index)
    viewer.focus({ preventScroll: true })
  })
  viewer.addEventListener('click', ({ target }) => {
    if (target.closest('[data-close]')) close()
    const step = target.closest('[data-step]')?.dataset.step
    if (step) move(Number(step))
  })
  document.addEventListener('keydown', (event) => {
    const { key, target } = event
    if (at === -1 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    if (target.closest('input, textarea, select, dialog, .menu[open]')) return
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key]
    if (key !== 'Escape' && !step) return
    event.preventDefault()
    if (step) move(isLeftwards ? -step : step)
    else close()
  })
  // "More results" adds some, perhaps while the last one is shown.
  new MutationObserver(() => {
    tiles = findTiles()
    showPlace()
  }).observe(document.querySelector('.column'), { childList: true, subtree: true })
  addEventListener('popstate', follow)
  follow()
}
