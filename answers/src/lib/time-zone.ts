// Reads the name of a time zone in the IANA database: `Europe/Berlin`, `UTC`. An offset isn't one, since it doesn't
// know about summer time.
const NAME = /^[a-z][a-z\d_+-]{0,31}(?:\/[a-z\d_+-]{1,31}){0,2}$/i
const MOST_KNOWN = 2_000

const known = new Map<string, string>()

/** In the database's own spelling, if Intl reports it; `undefined`: there is no such zone. */
export function readTimeZone(text: string): string | undefined {
  if (!NAME.test(text)) return undefined
  const name = known.get(text) ?? spelled(text)
  if (name === undefined) return undefined
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(text, name)
  return name
}

function spelled(text: string): string | undefined {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions()
    // For a zone with two names Intl returns the older: Asia/Calcutta for Asia/Kolkata. Keep the caller's.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    // Intl throws for an unknown zone.
    return undefined
  }
}
