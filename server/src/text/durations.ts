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

const MAX_LANGUAGES = 200
const languages = new Map<string, { format: Intl.RelativeTimeFormat; texts: Map<string, string> }>()

/**
 * Formats an age in words: `3 days ago`, `vor 3 Tagen`. A time in the future is a mistake of the provider or of a
 * clock, and counts as now. There are few distinct texts per language, and formatting one is slow, so each is formatted
 * once.
 */
export function relativeAge(at: number | undefined, now: number, lang: string): string {
  if (at === undefined || !Number.isFinite(at)) return ''
  const age = Math.max(0, now - at)
  const [unit, ms] = STEPS.find(([, , below]) => age < below) ?? ['year', 365 * DAY]
  const count = Math.floor(age / ms)
  const { format, texts } = languageOf(lang)
  const name = `${count} ${unit}`
  const known = texts.get(name)
  if (known !== undefined) return known
  const text = count === 0 ? justNow(lang) : format.format(-count, unit)
  texts.set(name, text)
  return text
}

function languageOf(lang: string) {
  const known = languages.get(lang)
  if (known) return known
  // Clients choose the tags, so the cache must be bounded.
  if (languages.size >= MAX_LANGUAGES) languages.clear()
  const language = { format: new Intl.RelativeTimeFormat(supportedLocale(lang)), texts: new Map<string, string>() }
  languages.set(lang, language)
  return language
}

const justNow = (lang: string): string =>
  new Intl.RelativeTimeFormat(supportedLocale(lang), { numeric: 'auto' }).format(0, 'second')

const supportedLocale = (lang: string): string => {
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
