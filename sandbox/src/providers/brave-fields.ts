// The fields that Brave's verticals share: text with entities, `age` as a span or a date, the parts of an address.
import { MS_AN_HOUR } from './wire-time.ts'

export const BRAVE_IMAGES = 'https://imgs.example'

const LONG_DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** `page_age` has no time zone, and `age` is a date rather than a span for what is older than a week. */
export function braveAge(publishedAt: number, now: number): { age: string; page_age: string } {
  return { age: ageText(publishedAt, now), page_age: new Date(publishedAt).toISOString().slice(0, 19) }
}

function ageText(publishedAt: number, now: number): string {
  const hours = Math.max(1, Math.round((now - publishedAt) / MS_AN_HOUR))
  if (hours < 24) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  const days = Math.round(hours / 24)
  if (days < 7) return days === 1 ? '1 day ago' : `${days} days ago`
  return LONG_DATE.format(publishedAt)
}

export const pageFetched = (mark: number, now: number): string =>
  `${new Date(now - (mark % 72) * MS_AN_HOUR).toISOString().slice(0, 19)}Z`

export const metaUrl = ({ url, host }: { url: string; host: string }) => ({
  scheme: url.slice(0, url.indexOf(':')),
  netloc: host,
  hostname: host,
  favicon: `${BRAVE_IMAGES}/fav/${host}.png`,
  path: new URL(url).pathname.replace(/\/$/, '').replaceAll('/', ' › ').trim(),
})
