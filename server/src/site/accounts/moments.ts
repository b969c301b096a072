// Formats times for people: past ones as an age, with the exact UTC time on hover; future ones as a day.
import { relativeAge } from '../../text/durations.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'

type Reader = Pick<PageContext, 'locale' | 'services'>

export const showPast = (moment: Date, { locale, services }: Reader): Html =>
  html`<time datetime="${moment.toISOString()}" title="${exactly(moment, locale)}">${relativeAge(moment.getTime(), services.clock(), locale)}</time>`

export const nameDay = (moment: Date, { locale }: Pick<Reader, 'locale'>): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(moment)

const exactly = (moment: Date, locale: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)} UTC`
