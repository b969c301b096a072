// The stopwatch. It goes by the clock, so that a computer that slept or a tab in the background loses nothing. Space starts
// and stops it, as it presses any button; L takes a lap and R resets it, while the focus is on the stopwatch.
for (const watch of document.querySelectorAll('[data-tool=stopwatch]')) {
  const value = watch.querySelector('[data-value]')
  const laps = watch.querySelector('.laps')
  const [toggle, lap, reset] = watch.querySelectorAll('[data-do]')
  const start = toggle.textContent
  let before = 0
  let lastLap = 0
  let since
  let ticking = 0

  const elapsed = () => before + (since === undefined ? 0 : Date.now() - since)

  const written = (ms, digits) => {
    const seconds = Math.floor(ms / 10 ** (3 - digits)) / 10 ** digits
    const minutes = Math.floor(seconds / 60)
    const parts = minutes < 60 ? [minutes] : [Math.floor(minutes / 60), minutes % 60]
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    const rest = new Intl.NumberFormat(watch.dataset.locale, { minimumIntegerDigits: 2, ...fraction })
    return [...parts.map((part, at) => String(part).padStart(at && 2, '0')), rest.format(seconds % 60)].join(':')
  }
  const show = () => {
    value.textContent = written(elapsed(), 1)
  }

  const act = {
    toggle() {
      before = elapsed()
      const isStarting = since === undefined
      since = isStarting ? Date.now() : undefined
      toggle.textContent = isStarting ? toggle.dataset.pause : start
      clearInterval(ticking)
      if (isStarting) ticking = setInterval(show, 100)
      show()
    },
    lap() {
      const now = elapsed()
      if (now === lastLap) return
      const item = document.createElement('li')
      const total = document.createElement('span')
      total.textContent = written(now, 2)
      item.append(written(now - lastLap, 2), ' ', total)
      lastLap = now
      laps.append(item)
      item.scrollIntoView({ block: 'nearest' })
    },
    reset() {
      if (since !== undefined) act.toggle()
      before = lastLap = 0
      laps.replaceChildren()
      show()
    },
  }
  show()
  for (const button of [toggle, lap, reset]) button.addEventListener('click', act[button.dataset.do])
  watch.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const button = { l: lap, r: reset }[event.key.toLowerCase()]
    if (!button) return
    event.stopPropagation()
    button.click()
  })
}
