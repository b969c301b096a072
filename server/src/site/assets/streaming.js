// Only on a page of results that is still on its way because an engine is slow: shows what the others have found, and
// settles it when the rest is here. Whatever can be seen, has the focus or was opened stays where it is; below it, results
// are in their final order.
const root = document.documentElement
// As the site's own script does once the page is complete.
root.dataset.script = ''

const isRead = document.readyState === 'loading'
let shown

// Engines write the address of one page in several ways.
const keyOf = (item) =>
  item
    .querySelector('.result-link')
    .href.replace(/^https?:\/\/(?:www\.)?|[?&](?:utm_\w+|gclid|fbclid)=[^&#]*|#(?![!/]).*/g, '')
    .replace(/\/$/, '')

function show() {
  const template = document.querySelector('template[data-early]')
  // Something follows it once it is complete; if that is the rest of the page, there is no need.
  const next = template?.nextElementSibling
  if (!next || next.nextElementSibling) return
  shown = template.content.firstElementChild
  Object.assign(shown.dataset, template.dataset)
  template.after(shown)
}

function settle() {
  const rest = document.querySelector('.early ~ .columns')
  const [list, fresh] = [shown, rest].map((part) => part?.querySelector('.results'))
  if (!fresh) {
    shown.remove()
    return
  }
  const final = new Map([...fresh.querySelectorAll('.result')].map((item) => [keyOf(item), item]))
  const order = [...final.keys()]
  const items = [...list.children]
  const focused = document.activeElement
  const isSeen = (item) =>
    item.getBoundingClientRect().top < innerHeight || item.contains(focused) || item.querySelector('[open]')
  const seen = items.slice(0, items.findLastIndex(isSeen) + 1)
  const seenResults = seen.flatMap((item) => (item.matches('.result') ? [item] : [...item.querySelectorAll('.result')]))
  const isSorted = seenResults.every((item, at) => keyOf(item) === order[at])
  for (const item of seenResults) {
    const dots = item.querySelector('.why')
    const found = final.get(keyOf(item))?.querySelector('.why')
    if (found && !dots.open && !dots.contains(focused)) {
      const height = item.offsetHeight
      dots.replaceWith(found)
      // More names may need another line, which would move what follows.
      if (item.offsetHeight !== height) found.replaceWith(dots)
    }
    const again = final.get(keyOf(item))
    // A fold that has lost one no longer says how many it has, so it is opened out.
    again?.closest('.folded')?.replaceWith(...again.parentElement.children)
    again?.remove()
  }
  for (const item of items.slice(seen.length)) item.remove()
  // In a narrow window, a card that stood after fewer than three results stays there.
  if (items.length < 3) for (const item of fresh.children) item.classList.add('late')
  list.append(...fresh.children)
  say(rest, list, isSorted)
  const below = []
  for (let next = fresh.nextElementSibling; next; next = next.nextElementSibling) below.push(next)
  list.parentElement.append(...below)
  shown.classList.remove('early')
  rest.remove()
}

/** In the line above the results, if there is room; otherwise below them. */
function say(rest, list, isSorted) {
  const line = shown.querySelector('.waiting')
  const height = line.offsetHeight
  const known = new Set([...shown.querySelectorAll('.partial')].map((note) => note.textContent))
  const notes = [...rest.querySelectorAll('.correction, .partial')].filter((note) => !known.has(note.textContent))
  if (notes.length > 0) {
    line.replaceChildren(...notes)
    if (line.offsetHeight <= height) return
    list.after(...notes)
  }
  line.replaceChildren(isSorted ? shown.dataset.settled : shown.dataset.better)
  if (isSorted) return
  const link = document.createElement('a')
  link.href = location.href
  link.textContent = shown.dataset.sort
  line.append(' ', link)
}

const observer = new MutationObserver(check)

function check() {
  if (!shown) show()
  if (!document.querySelector('main')?.nextElementSibling) return
  observer.disconnect()
  if (shown) settle()
}

if (isRead) {
  observer.observe(root, { childList: true, subtree: true })
  check()
}
