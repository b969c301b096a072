// For pages of results: keys, what a menu says of its result, what private services find late, and links that open in
// place. The next page is added below this one, what else people search for takes the place of its link, and keys and
// operators are explained in a sheet.

/** A page of this site, as its link leads to it. Nothing in it runs. */
async function readPage({ href }) {
  const reply = await fetch(href)
  if (!reply.ok) throw new Error(`status ${reply.status}`)
  return new DOMParser().parseFromString(await reply.text(), 'text/html')
}

const elementOf = (name, text) => Object.assign(document.createElement(name), { textContent: text })

/** The next place to read or to act, unless the reader has gone elsewhere meanwhile. */
function focusNext(from, next) {
  if (document.activeElement !== from && document.activeElement !== document.body) return
  if (next.localName === 'p') next.tabIndex = -1
  next.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

/** The lines of another page that aren't among those of this one. */
function newOf(lines, known) {
  const texts = new Set([...known].map((line) => line.textContent))
  return [...lines].filter((line) => !texts.has(line.textContent))
}

/** The address stays: Back and a link to this page lead to its beginning. */
async function showMore(link) {
  const from = document.activeElement
  const pager = link.closest('.pagination')
  // It is as high as the window at once, so that nothing that is seen moves when the results are here.
  const place = elementOf('section', link.dataset.loading)
  place.className = 'more waiting-more'
  pager.before(place)
  try {
    const column = (await readPage(link)).querySelector('.column')
    // A page without results says that there are no more.
    const list = column.querySelector('.results, .image-grid, .state-page > p')
    const hasResults = list.localName !== 'p'
    const nextPager = column.querySelector('.pagination')
    const number = nextPager.querySelector('[aria-current]')
    const notes = newOf(column.querySelectorAll(':scope > .partial'), document.querySelectorAll('.partial'))
    if (list.localName === 'ol') list.start = document.querySelectorAll('.column .result').length + 1
    place.replaceChildren(...notes, list)
    place.className = 'more'
    if (hasResults) {
      place.prepend(elementOf('h2', number.textContent))
      pager.querySelector('[aria-current]').replaceWith(number)
    }
    addSmallPrint(pager, column.querySelector('.small-print'))
    focusNext(from, list.querySelector('.result-link') ?? list)
    link.replaceWith(nextPager.lastElementChild)
    document.querySelector('body > [role=status]').textContent = hasResults
      ? `${number.textContent}. ${nextPager.dataset.arrived}`
      : list.textContent
  } catch {
    place.className = 'partial'
    place.role = 'status'
    place.textContent = link.dataset.failed
    // From now on the link leads to the page.
    delete link.dataset.inPlace
  }
}

/** What the next page says of its engines, and this one doesn't. */
function addSmallPrint(pager, added) {
  const print = pager.parentElement.querySelector('.small-print')
  if (!print || !added) return
  print.prepend(...newOf(added.children, print.children))
}

async function showRelated(link) {
  const from = document.activeElement
  const place = link.parentElement
  place.classList.add('related-open')
  try {
    const list = (await readPage(link)).querySelector('.related-list')
    place.append(elementOf('h2', link.textContent), list)
    focusNext(from, list.querySelector('a') ?? list)
    link.remove()
  } catch {
    location.assign(link.href)
  }
}

/**
 * What private services find later than the web. Its place is as high as the box usually is; if that isn't enough, the
 * last ones are only behind the link to all, so that nothing moves.
 */
async function showLate(place) {
  const box = (await readPage({ href: place.dataset.late })).querySelector('.mine')
  if (place.contains(document.activeElement)) return
  const height = place.offsetHeight
  place.replaceChildren(...box.childNodes)
  for (const item of [...place.querySelectorAll('ol > li')].reverse()) if (place.offsetHeight > height) item.remove()
}

for (const place of document.querySelectorAll('[data-late]')) showLate(place).catch(() => undefined) // The link stays.

let sheet

async function makeSheet(link) {
  const content = (await readPage(link)).querySelector('.prose')
  const dialog = document.createElement('dialog')
  dialog.className = 'sheet'
  dialog.ariaLabel = link.ariaLabel
  const close = elementOf('button', link.dataset.close)
  close.className = 'button button-plain'
  close.addEventListener('click', () => dialog.close())
  // What is beside the sheet closes it, too.
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  dialog.append(close, content)
  document.body.append(dialog)
  return dialog
}

async function showSheet(link) {
  try {
    sheet ??= makeSheet(link)
    const dialog = await sheet
    if (!dialog.open) dialog.showModal()
    dialog.scrollTop = 0
  } catch {
    location.assign(link.href)
  }
}

const IN_PLACE = { more: showMore, related: showRelated, sheet: showSheet }

document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-in-place]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  if (link.ariaBusy === 'true') return
  link.ariaBusy = 'true'
  void IN_PLACE[link.dataset.inPlace](link).finally(() => (link.ariaBusy = null))
})

function moveBy(step) {
  const results = [...document.querySelectorAll('.result-link')].filter((one) => one.checkVisibility())
  const last = results.length - 1
  const at = results.indexOf(document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : last) : Math.min(last, Math.max(0, at + step))
  results[next]?.focus()
  results[next]?.scrollIntoView({ block: 'nearest' })
}

function openInNewTab() {
  const link = document.activeElement
  if (link.matches('.result-link')) open(link.href, '_blank', 'noopener')
}

function goToTop() {
  document.activeElement.blur()
  scrollTo(0, 0)
}

const click = (selector) => document.querySelector(selector)?.click()

// Enter opens a result as it opens any link.
const KEYS = new Map([
  ['j', () => moveBy(1)],
  ['k', () => moveBy(-1)],
  ['v', openInNewTab],
  ['n', () => click('.pagination [rel=next]')],
  ['p', () => click('.pagination [rel=prev]')],
  ['t', goToTop],
  ['?', () => click('.operators')],
])

document.addEventListener('keydown', (event) => {
  const act = KEYS.get(event.key)
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return
  if (document.documentElement.dataset.keys || document.querySelector('dialog[open]')) return
  if (event.target.closest?.('input, textarea, select, [contenteditable]')) return
  event.preventDefault()
  act()
})

// The link alone would move the page.
document.addEventListener('click', (event) => {
  const why = event.target.closest('.menu a[href^="#why"]')?.closest('.result').querySelector('.why')
  if (!why) return
  event.preventDefault()
  why.open = true
  why.firstElementChild.focus()
})
