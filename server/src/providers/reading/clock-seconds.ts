// How long something lasts, read from a clock: 3:45 or 03:45:00. Nothing but a clock is one: a provider that has no
// length to tell sends '', a word or 0:00, and all of those are unknown.

const CLOCK = /^(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)$/

export const clockSeconds = (value: unknown): number | undefined => {
  const match = typeof value === 'string' ? CLOCK.exec(value.trim()) : null
  if (match === null) return undefined
  const [, hours = '0', minutes = '0', seconds = '0'] = match
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) || undefined
}
