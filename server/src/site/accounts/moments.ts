// Moments as people read them: how long ago for what is past, the day for what is to come. The exact moment is always
// there for whoever points at it, in UTC.
import { relativeAge } from '../../text/relative-age.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'

type Reader = Pick<PageContext, 'locale' | 'services'>

export const showPast = (moment: Date, { locale, services }: Reader): Html =>
  html`<time datetime="${moment.toISOString()}" title="${exactly(moment, locale)}">${relativeAge(moment.getTime(), services.clock(), locale)}</time>`

export const nameDay = (moment: Date, { locale }: Pick<Reader, 'locale'>): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(moment)

const exactly = (moment: Date, locale: string): string =>
  `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment)} UTC`
