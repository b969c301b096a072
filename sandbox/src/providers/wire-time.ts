// Time formats of the providers.

export const MS_AN_HOUR = 3_600_000
export const MS_A_DAY = 86_400_000

/** `2026-11-14T12:00:00Z` */
export const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`

/** `2026-11-14` */
export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** `20261114120000` */
export const compactSeconds = (time: number): string => new Date(time).toISOString().slice(0, 19).replace(/\D/g, '')

/** `2026-11-14 12:00:00` */
export const spacedSeconds = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')

/** `5:07` or `1:02:03`. */
export function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
