// Formats ages and durations.
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, ms: number, below: number][] = [
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, 7 * DAY],
  ['week', 7 * DAY, 30 * DAY],
  ['month', 30 * DAY, 365 * DAY],
  ['year', 365 * DAY, Number.POSITIVE_INFINITY],
]

const MOST_LANGUAGES = 200
const wordsByLanguage = new Map<string, { format: Intl.RelativeTimeFormat; known: Map<string, string> }>()

/**
 * Formats an age in words: `3 days ago`, `vor 3 Tagen`. A time in the future is an error of the provider's or of a
 * clock, and counts as now. There are few distinct strings per language, so each is formatted only once.
 */
export function relativeAge(at: number | undefined, now: number, lang: string): string {
  if (at === undefined || !Number.isFinite(at)) return ''
  const age = Math.max(0, now - at)
  const [unit, ms] = STEPS.find(([, , below]) => age < below) ?? ['year', 365 * DAY]
  return words(lang, unit, Math.floor(age / ms))
}

function words(lang: string, unit: Intl.RelativeTimeFormatUnit, count: number): string {
  let language = wordsByLanguage.get(lang)
  if (!language) {
    // Clients choose the tags, so the cache must be bounded.
    if (wordsByLanguage.size >= MOST_LANGUAGES) wordsByLanguage.clear()
    language = { format: new Intl.RelativeTimeFormat(supported(lang)), known: new Map() }
    wordsByLanguage.set(lang, language)
  }
  const name = `${count} ${unit}`
  const known = language.known.get(name)
  if (known !== undefined) return known
  const text = count === 0 ? justNow(lang) : language.format.format(-count, unit)
  language.known.set(name, text)
  return text
}

const justNow = (lang: string): string =>
  new Intl.RelativeTimeFormat(supported(lang), { numeric: 'auto' }).format(0, 'second')

const supported = (lang: string): string => {
  try {
    return Intl.RelativeTimeFormat.supportedLocalesOf([lang])[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** Formats a duration as a clock shows it: `4:13`, `1:02:03`; '' if it is unknown. */
export function clockDuration(seconds: number | undefined): string {
  if (seconds === undefined || !(seconds >= 0)) return ''
  const whole = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const padded = (value: number) => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`
}
