// Parses a duration written like a clock: 3:45 or 03:45:00. Anything else is unknown: a provider without a duration
// sends '', a word or 0:00.

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/

export const clockSeconds = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined
}
