// The name of a time zone, as the IANA database has it: `Europe/Berlin`, `UTC`. An offset is none, since it says nothing
// of summer.
const NAME = /^[a-z][a-z\d_+-]{0,31}(?:\/[a-z\d_+-]{1,31}){0,2}$/i
const MOST_KNOWN = 2_000

const known = new Map<string, string>()

/** In the database's own spelling, where Intl tells it; `undefined`: there is no such zone. */
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
    // Of a zone with two names Intl gives the older: Asia/Calcutta for Asia/Kolkata. The caller's is as good.
    return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text
  } catch {
    // That is how Intl says that it has none of this name.
    return undefined
  }
}
