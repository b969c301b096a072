// The one script of the site. Everything works without it; with it there are suggestions, keys to move among results,
// buttons that copy, and filters that apply themselves.
const root = document.documentElement
root.dataset.script = ''

const isTyping = (target) => target instanceof Element && target.closest('input, textarea, select, [contenteditable]')

// Filters apply on change. The button that does it without script is hidden by the stylesheet.
document.addEventListener('change', (event) => {
  event.target.closest('form[data-submit-on-change]')?.requestSubmit()
})
// A page that the Back button brings from memory still has the filter that led away from it.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-submit-on-change]')) form.reset()
})
// What says nothing stays out of the address.
document.addEventListener('formdata', (event) => {
  if (event.target.method !== 'get') return
  const { formData } = event
  for (const name of Array.from(formData.keys())) if (formData.get(name) === '') formData.delete(name)
})

// What changes without the focus going there is said aloud: not every screen reader reads the new words of a button.
const live = document.createElement('p')
live.role = 'status'
live.className = 'visually-hidden'
document.body.append(live)

// Copy buttons are of no use without script, so they come hidden.
for (const button of document.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  const label = button.textContent
  const say = (text) => {
    button.textContent = text
  }
  navigator.clipboard.writeText(button.dataset.copy).then(
    () => {
      say(button.dataset.copied)
      live.textContent = button.dataset.copied
      setTimeout(say, 2000, label)
    },
    say.bind(undefined, label),
  )
})

// An answer's days are UTC's until the browser says where it is, in no address that is shown.
for (const answer of document.querySelectorAll('[data-here]')) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const show = (text) => {
    const local = new DOMParser().parseFromString(text, 'text/html').querySelector('.answer')
    if (!local) return
    local.querySelector('[data-copy]').hidden = !navigator.clipboard
    answer.replaceChildren(...local.childNodes)
  }
  fetch(`${answer.dataset.here}&tz=${encodeURIComponent(timeZone)}`)
    .then((reply) => reply.text())
    .then(show)
    .catch(() => undefined) // It stays UTC's.
}

// A timer counts down where its length stands; what is heard of it is its end.
for (const button of document.querySelectorAll('[data-timer]')) {
  const value = button.closest('section').querySelector('.answer-value')
  const { timer, pause, over } = button.dataset
  const start = button.textContent
  let left = timer * 1000
  let ticking = 0
  let last = 0
  const tick = () => {
    left -= Date.now() - last
    last = Date.now()
    const seconds = Math.max(0, Math.ceil(left / 1000))
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    const shown = parts[0] > 0 ? parts : parts.slice(1)
    value.textContent = shown.map((part, at) => String(part).padStart(at && 2, '0')).join(':')
    if (seconds > 0) return
    clearInterval(ticking)
    value.role = 'alert'
    value.textContent = document.title = over
    button.hidden = true
  }
  button.hidden = false
  button.addEventListener('click', () => {
    const isRunning = button.textContent === pause
    button.textContent = isRunning ? start : pause
    clearInterval(ticking)
    last = Date.now()
    if (!isRunning) ticking = setInterval(tick, 250)
  })
}

// A theme shows as soon as it is chosen; it stays if it is saved.
for (const theme of document.querySelectorAll('input[name=theme]'))
  theme.addEventListener('change', () => (root.dataset.theme = theme.value))

// The length of a text, while it is written.
for (const text of document.querySelectorAll('[data-count]')) {
  const output = document.querySelector(text.dataset.count)
  const count = () => (output.textContent = Array.from(text.value).length.toLocaleString(root.lang))
  text.addEventListener('input', count)
  count()
}

// A menu closes with Escape, and with a click elsewhere.
function closeMenus(isByKey, target) {
  for (const menu of document.querySelectorAll('.menu[open]')) {
    if (menu.contains(target)) continue
    if (isByKey && menu.contains(document.activeElement)) menu.firstElementChild.focus()
    menu.open = false
  }
}
document.addEventListener('click', (event) => closeMenus(false, event.target))

// A file can be chosen in place of pasting its text.
for (const choice of document.querySelectorAll('[data-file-into]')) {
  choice.hidden = false
  const field = document.getElementById(choice.dataset.fileInto)
  choice.addEventListener('change', ({ target }) => {
    void target.files[0]?.text().then((text) => (field.value = text))
  })
}

// Keys: / goes to the field, j and k move among results, Enter opens as it does for any link.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closeMenus(true)
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/') {
    const field = document.querySelector('.search-field input[type=search]')
    if (!field) return
    event.preventDefault()
    field.focus()
    field.select()
  }
  // A button that has keys of its own, such as the grades of a result. They are pressed once, not while a key is held.
  if (!event.repeat) document.querySelector(`[data-key~="${CSS.escape(event.key.toLowerCase())}"]`)?.click()
  const step = { j: 1, k: -1 }[event.key]
  const results = step ? [...document.querySelectorAll('.result-link')].filter((one) => one.checkVisibility()) : []
  if (results.length === 0) return
  event.preventDefault()
  const at = results.indexOf(document.activeElement)
  const next = at === -1 ? (step === 1 ? 0 : results.length - 1) : Math.min(results.length - 1, Math.max(0, at + step))
  results[next].focus()
  results[next].scrollIntoView({ block: 'nearest' })
})

// Suggestions: a combobox with a list, as the ARIA practices describe it. The field keeps the focus.
const WAIT_MS = 300
const MOST_SUGGESTIONS = 8

class Suggestions {
  known = new Map()
  timer = 0
  chosen = -1

  constructor(form) {
    this.form = form
    this.field = form.querySelector('input[type=search]')
    this.typed = this.field.value
    this.list = document.createElement('ul')
    this.list.className = 'suggestions'
    this.list.id = `${form.id || 'search'}-suggestions`
    this.list.role = 'listbox'
    this.list.ariaLabel = form.dataset.suggest
    form.append(this.list)
    this.field.role = 'combobox'
    this.field.setAttribute('aria-autocomplete', 'list')
    this.field.setAttribute('aria-controls', this.list.id)
    this.close()
  }

  listen() {
    const { form, field, list } = this
    field.addEventListener('input', () => this.onInput())
    field.addEventListener('keydown', (event) => this.onKey(event))
    field.addEventListener('blur', () => this.close())
    form.addEventListener('submit', () => clearTimeout(this.timer))
    // Before the field loses the focus, which would close the list under the pointer.
    list.addEventListener('pointerdown', (event) => event.preventDefault())
    list.addEventListener('click', (event) => {
      const index = [...list.children].indexOf(event.target.closest('li'))
      if (index === -1) return
      this.choose(index)
      form.requestSubmit()
    })
  }

  onInput() {
    this.typed = this.field.value
    clearTimeout(this.timer)
    const text = this.typed.trim()
    const wait = this.known.has(text) ? 0 : WAIT_MS
    if (text.length < 3) this.close()
    else this.timer = setTimeout(() => void this.ask(text).catch(() => this.close()), wait)
  }

  onKey(event) {
    if (event.isComposing || this.list.hidden) return
    const last = this.list.children.length - 1
    if (event.key === 'ArrowDown') this.choose(this.chosen === last ? -1 : this.chosen + 1)
    else if (event.key === 'ArrowUp') this.choose(this.chosen === -1 ? last : this.chosen - 1)
    else if (event.key === 'Escape') {
      this.choose(-1)
      this.close()
    } else return
    event.preventDefault()
  }

  async ask(text) {
    if (!this.known.has(text)) {
      const reply = await fetch(`/suggest?q=${encodeURIComponent(text)}`)
      const [, suggestions] = reply.ok ? await reply.json() : [text, []]
      this.known.set(text, suggestions.slice(0, MOST_SUGGESTIONS))
    }
    // Another letter may have been typed meanwhile, or the field left.
    if (text === this.typed.trim() && document.activeElement === this.field) this.show(this.known.get(text))
  }

  show(suggestions) {
    this.close()
    this.list.replaceChildren(...suggestions.map((text, at) => this.itemOf(text, at)))
    this.list.hidden = suggestions.length === 0
    this.field.setAttribute('aria-expanded', String(suggestions.length > 0))
  }

  /** What is new in it stands out; what was typed is known. */
  itemOf(text, at) {
    const item = document.createElement('li')
    item.id = `${this.list.id}-${at}`
    item.role = 'option'
    item.ariaSelected = 'false'
    const begun = text.toLowerCase().startsWith(this.typed.toLowerCase()) ? this.typed.length : text.length
    const rest = document.createElement('b')
    rest.textContent = text.slice(begun)
    item.append(text.slice(0, begun), rest)
    return item
  }

  choose(index) {
    this.chosen = index
    for (const [at, item] of [...this.list.children].entries()) item.ariaSelected = String(at === index)
    const item = this.list.children[index]
    this.field.value = item ? item.textContent : this.typed
    if (item) this.field.setAttribute('aria-activedescendant', item.id)
    else this.field.removeAttribute('aria-activedescendant')
  }

  close() {
    this.list.hidden = true
    this.chosen = -1
    this.field.setAttribute('aria-expanded', 'false')
    this.field.removeAttribute('aria-activedescendant')
  }
}

for (const form of document.querySelectorAll('form[data-suggest]'))
  if (form.dataset.suggest) new Suggestions(form).listen()
