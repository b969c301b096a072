// The timer. Its end is seen, heard and in the title of the page. The sound is handed to the audio clock as soon as the
// timer starts: a browser lets the script of a page in the background wake only once a minute.
for (const timer of document.querySelectorAll('[data-tool=timer]')) {
  const form = timer.querySelector('form')
  const value = timer.querySelector('[data-value]')
  const note = timer.querySelector('[data-end]')
  const fields = timer.querySelectorAll('[data-seconds]')
  const [toggle, more, reset] = timer.querySelectorAll('[data-do]')
  const start = toggle.textContent
  const pageTitle = document.title
  const time = new Intl.DateTimeFormat(timer.dataset.locale, { timeStyle: 'short' })
  let left = 0
  let endsAt
  let ticking = 0
  let sound
  let bell

  const remaining = () => (endsAt === undefined ? left : Math.max(0, endsAt - Date.now()))

  const ring = (inSeconds) => {
    sound ??= new AudioContext()
    void sound.resume()
    const at = sound.currentTime + inSeconds
    const tone = new OscillatorNode(sound, { frequency: 880 })
    const volume = new GainNode(sound, { gain: 0 })
    for (const beep of [0, 0.5, 1]) {
      volume.gain.setValueAtTime(0.3, at + beep)
      volume.gain.setValueAtTime(0, at + beep + 0.25)
    }
    tone.connect(volume).connect(sound.destination)
    tone.start(at)
    tone.stop(at + 2)
    bell = { volume, at }
  }
  const mute = () => bell?.volume.disconnect()

  const show = () => {
    const seconds = Math.ceil(remaining() / 1000)
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    const shown = parts[0] > 0 ? parts : parts.slice(1)
    const isRunning = endsAt !== undefined
    value.role = 'timer'
    value.textContent = shown.map((part, at) => String(part).padStart(at && 2, '0')).join(':')
    note.textContent = isRunning ? note.dataset.ends.replace('{time}', time.format(endsAt)) : ''
    document.title = isRunning ? `${value.textContent} · ${pageTitle}` : pageTitle
    toggle.textContent = isRunning ? toggle.dataset.pause : start
  }
  const pause = () => {
    left = remaining()
    endsAt = undefined
    clearInterval(ticking)
    mute()
    show()
  }
  const tick = () => {
    if (remaining() > 0) return show()
    // While the computer slept, so did the audio clock.
    const isLate = sound.currentTime < bell.at
    const { volume } = bell
    bell = undefined
    pause()
    if (isLate) {
      volume.disconnect()
      ring(0)
    }
    value.role = 'alert'
    value.textContent = value.dataset.over
    document.title = `${value.dataset.over} · ${pageTitle}`
  }
  const run = () => {
    endsAt = Date.now() + left
    ring(left / 1000)
    clearInterval(ticking)
    ticking = setInterval(tick, 250)
    show()
  }
  const set = () => {
    pause()
    left =
      Array.from(fields, (field) => Math.max(0, field.value) * field.dataset.seconds).reduce((sum, one) => sum + one) *
      1000
    show()
  }

  set()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (endsAt !== undefined) return pause()
    if (left === 0) set()
    if (left > 0) run()
  })
  more.addEventListener('click', () => {
    const isRunning = endsAt !== undefined
    pause()
    left += 60_000
    if (isRunning) run()
    else show()
  })
  reset.addEventListener('click', set)
  form.addEventListener('input', set)
}
