// The one script of every page. Everything works without it; with it there are buttons that copy, and filters that apply
// themselves.
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

// The stylesheet hides copy buttons where they cannot work: without script, or in a browser that refuses pages.
if (!navigator.clipboard) document.documentElement.classList.add('cannot-copy')
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (!button) return
  // Pressed again, it may still say that it was copied.
  button.dataset.label ??= button.textContent
  const { label } = button.dataset
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
    answer.replaceChildren(...local.childNodes)
  }
  fetch(`${answer.dataset.here}&tz=${encodeURIComponent(timeZone)}`)
    .then((reply) => reply.text())
    .then(show)
    .catch(() => undefined) // It stays UTC's.
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

// A menu closes with Escape, and when a click or the focus goes elsewhere.
function closeMenus(isByKey, target) {
  let hasClosed = false
  for (const menu of document.querySelectorAll('[name=menu][open]')) {
    if (menu.contains(target)) continue
    if (isByKey && menu.contains(document.activeElement)) menu.firstElementChild.focus()
    menu.open = false
    hasClosed = true
  }
  return hasClosed
}
document.addEventListener('click', ({ target }) => closeMenus(false, target))
document.addEventListener('focusin', ({ target }) => {
  // A press on the text of a menu focuses the page around it.
  if (target.id !== 'content') closeMenus(false, target)
})

// A file can be chosen in place of pasting its text.
for (const choice of document.querySelectorAll('[data-file-into]')) {
  choice.hidden = false
  const field = document.getElementById(choice.dataset.fileInto)
  choice.addEventListener('change', ({ target }) => {
    void target.files[0]?.text().then((text) => (field.value = text))
  })
}

// Keys: / goes to the field. The reader may have turned them off.
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && closeMenus(true)) event.preventDefault()
  if (root.dataset.keys || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/') {
    const field = document.querySelector('.search-field input[type=search]')
    if (!field) return
    event.preventDefault()
    field.focus()
    field.select()
  }
  // A button that has keys of its own, such as the grades of a result. They are pressed once, not while a key is held.
  if (!event.repeat) document.querySelector(`[data-key~="${CSS.escape(event.key.toLowerCase())}"]`)?.click()
})
