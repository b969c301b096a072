// Suggestions below the search field: a combobox with a list, as the ARIA practices describe it. The field keeps the focus.
const WAIT_MS = 300
const MOST_SUGGESTIONS = 8

const isBang = (text) => text.length > 1 && text.startsWith('!') && !text.includes(' ')

class Suggestions {
  known = new Map()
  shown = []
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
      if (isBang(field.value)) this.awaitWords()
      else form.requestSubmit()
    })
  }

  onInput() {
    this.typed = this.field.value
    clearTimeout(this.timer)
    const text = this.typed.trim()
    const wait = this.known.has(text) ? 0 : WAIT_MS
    if (text.length < 3 && !isBang(text)) this.close()
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

  /** A bang alone leads to the front page of a site: what to look for there is still to be typed. */
  awaitWords() {
    this.field.value += ' '
    this.typed = this.field.value
    this.close()
  }

  async ask(text) {
    if (!this.known.has(text)) {
      const reply = await fetch(`/suggest?q=${encodeURIComponent(text)}`)
      const [, texts, descriptions] = reply.ok ? await reply.json() : [text, [], []]
      const suggestions = texts.slice(0, MOST_SUGGESTIONS).map((one, at) => ({ text: one, about: descriptions[at] }))
      this.known.set(text, suggestions)
    }
    // Another letter may have been typed meanwhile, or the field left.
    if (text === this.typed.trim() && document.activeElement === this.field) this.show(this.known.get(text))
  }

  show(suggestions) {
    this.close()
    this.shown = suggestions
    this.list.replaceChildren(...suggestions.map((suggestion, at) => this.itemOf(suggestion, at)))
    this.list.hidden = suggestions.length === 0
    this.field.setAttribute('aria-expanded', String(suggestions.length > 0))
  }

  /** What is new in it stands out; what was typed is known. */
  itemOf({ text, about }, at) {
    const item = document.createElement('li')
    item.id = `${this.list.id}-${at}`
    item.role = 'option'
    item.ariaSelected = 'false'
    const begun = text.toLowerCase().startsWith(this.typed.toLowerCase()) ? this.typed.length : text.length
    const rest = document.createElement('b')
    rest.textContent = text.slice(begun)
    item.append(text.slice(0, begun), rest)
    if (about) {
      const note = document.createElement('small')
      note.textContent = about
      item.append(' ', note)
    }
    return item
  }

  choose(index) {
    this.chosen = index
    for (const [at, item] of [...this.list.children].entries()) item.ariaSelected = String(at === index)
    const item = this.list.children[index]
    this.field.value = item ? this.shown[index].text : this.typed
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
