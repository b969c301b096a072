// The clocks tick, and say how far each is ahead of the reader's own time. The slider shows another hour.
for (const clocks of document.querySelectorAll('.clocks')) {
  const { locale, ahead, behind, same, utc } = clocks.dataset
  const shift = clocks.parentElement.querySelector('[data-shift]')
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const rows = Array.from(clocks.querySelectorAll('[data-zone]'), (row) => {
    const format = (options) => new Intl.DateTimeFormat(locale, { timeZone: row.dataset.zone, ...options })
    return {
      row,
      time: format({ hour: '2-digit', minute: '2-digit' }),
      day: format({ weekday: 'short', day: 'numeric', month: 'short' }),
      offset: new Intl.DateTimeFormat('en', { timeZone: row.dataset.zone, timeZoneName: 'longOffset' }),
    }
  })

  /** `GMT+05:30` is 330 minutes. */
  const minutesOf = (format, moment) => {
    const { value } = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName')
    const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(value) ?? [0, '+', 0, 0]
    return (sign === '-' ? -1 : 1) * (hours * 60 + Number(minutes))
  }
  const written = (minutes) => {
    if (minutes === 0) return same
    const length = { hours: Math.floor(Math.abs(minutes) / 60), minutes: Math.abs(minutes) % 60 }
    const text = new Intl.DurationFormat(locale, { style: 'short' }).format(length)
    return (minutes > 0 ? ahead : behind).replace('{}', text)
  }
  /** 330 minutes are `+5:30`. */
  const hoursOf = (minutes) => {
    if (minutes === 0) return ''
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
    return `${minutes > 0 ? '+' : '-'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
  }
  const say = (element, text) => {
    if (element.textContent !== text) element.textContent = text
  }

  const show = () => {
    const hours = Number(shift.value)
    const moment = new Date(Date.now() + hours * 3_600_000)
    for (const { row, time, day, offset } of rows) {
      say(row.querySelector('.clock-time'), time.format(moment))
      say(row.querySelector('.clock-day'), day.format(moment))
      const minutes = minutesOf(offset, moment)
      say(row.querySelector('.clock-offset'), utc.replace('{}', hoursOf(minutes)))
      // An older browser has no format for it, and shows the zone alone.
      if (!Intl.DurationFormat) continue
      say(row.querySelector('.clock-difference'), written(minutes + moment.getTimezoneOffset()))
    }
    const text = hours === 0 ? relative.format(0, 'second') : relative.format(hours, 'hour')
    shift.setAttribute('aria-valuetext', text)
    say(shift.nextElementSibling, text)
  }
  shift.addEventListener('input', show)
  setInterval(show, 1000)
  show()
}
