// Public holidays: the next one large, or a list for a year. Regional holidays name their regions.

import type { publicHolidays } from '@bowerbird/answers/time/public-holidays.ts'
import type { z } from 'zod'
import { html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { factList, type ShownAnswer, takenApart } from './instant-parts.ts'

type Holidays = z.output<typeof publicHolidays.reply> & { text: string }

/** From this many regions on, they are shown by their codes. */
const MANY = 7

export function holidaysView(answer: Holidays, { locale }: PageContext): ShownAnswer {
  const { text, holidays, is_next: isNext, attribution } = answer
  const { question = '', value } = takenApart(text)
  const source = attribution.url !== '' && { source: attribution }
  if (isNext) {
    const [next = value, ...regional] = value.split(/ ?; /)
    return { question, value: next, note: regional.join('; '), copy: text, ...source }
  }
  const days = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const facts = holidays.map(({ date, name, regions }) => ({
    label: days.format(Date.parse(date)),
    value: html`${name}${regions.length > 0 && html` <span class="quiet">${namesOf(regions, answer)}</span>`}`,
  }))
  return { value: question, copy: text, body: factList(facts), ...source }
}

const namesOf = (codes: readonly string[], { regions }: Holidays): string => {
  if (regions.length >= MANY) return codes.join(', ')
  return codes.map((code) => regions.find((region) => region.code === code)?.name ?? code).join(', ')
}
