// Makes passwords and passphrases in the browser. They are sent nowhere, and the number of possible ones is exact: no
// character or word is likelier than another.

/** A whole number below `count`, each as likely as the others: what would favour some is drawn again. */
const uniformBelow = (count, draw = () => crypto.getRandomValues(new Uint16Array(1))[0]) => {
  const limit = 65536 - (65536 % count)
  for (;;) {
    const drawn = draw()
    if (drawn < limit) return drawn % count
  }
}

/** Drawn again until every kind of character is in it, so that all such passwords are equally likely. */
const randomPassword = (length, sets) => {
  const letters = sets.join('')
  for (;;) {
    const chosen = Array.from({ length }, () => letters[uniformBelow(letters.length)])
    if (sets.every((set) => chosen.some((letter) => set.includes(letter)))) return chosen.join('')
  }
}

/** Without those that lack a kind of character, by inclusion and exclusion. */
const passwordBits = (length, sets) => {
  const all = sets.join('').length
  let share = 0
  for (let lacking = 0; lacking < 2 ** sets.length; lacking++) {
    const left = sets.filter((_, at) => !(lacking & (1 << at)))
    share += (-1) ** (sets.length - left.length) * (left.join('').length / all) ** length
  }
  return length * Math.log2(all) + Math.log2(share)
}

for (const tool of document.querySelectorAll('[data-tool=password], [data-tool=passphrase]')) {
  const form = tool.querySelector('form')
  const value = tool.querySelector('[data-value]')
  const copy = tool.querySelector('[data-copy]')
  const note = tool.querySelector('[data-strength]')
  const count = form.querySelector('input[type=number]')
  const number = new Intl.NumberFormat(tool.dataset.locale)
  let words = []

  const make = () => {
    const wanted = Math.min(count.max, Math.max(count.min, Math.floor(count.value)))
    if (form.dataset.words) {
      const made = Array.from({ length: wanted }, () => words[uniformBelow(words.length)])
      return { text: made.join('-'), bits: wanted * Math.log2(words.length) }
    }
    const sets = Array.from(form.querySelectorAll(':checked'), (box) => box.dataset.letters)
    return sets.length > 0 && { text: randomPassword(wanted, sets), bits: passwordBits(wanted, sets) }
  }
  const show = () => {
    const made = make()
    value.textContent = copy.dataset.copy = made ? made.text : ''
    note.textContent = made
      ? note.dataset.strength.replace('{bits}', number.format(Math.floor(made.bits)))
      : note.dataset.none
  }
  const begin = () => {
    show()
    form.addEventListener('input', show)
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      show()
    })
  }
  // If the words can't be had, the passphrase of the server is shown, and the form asks it for another.
  if (form.dataset.words)
    fetch(form.dataset.words)
      .then((reply) => (reply.ok ? reply.text() : Promise.reject(reply)))
      .then((text) => {
        words = text.trim().split('\n')
        begin()
      })
      .catch(() => {
        for (const element of [value, note]) element.replaceChildren(element.textContent)
        copy.dataset.copy = value.textContent
      })
  else begin()
}
