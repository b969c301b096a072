// The world clock: the time in several places. They are in the address, as they were typed, and found in our own list of cities,
// so nobody is asked about them. With script the clocks tick, and show the difference to the reader's own time.

import { writeOffset } from '@bowerbird/answers/lib/zones.ts'
import { fold } from '@bowerbird/answers/question.ts'
import { findTimedPlace, type TimedPlace } from '@bowerbird/answers/time/place-time.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { resultLanguage, sentence } from './converter-parts.ts'
import { defineTool, pathOf } from './define-tool.ts'

const NAME = 'world-clock'
const PATH = pathOf({ name: NAME })
const MAX_PLACES = 8
/** As many as half a phone's screen has room for. */
const PLACES_ABOVE_RESULTS = 2
const MAX_NAME_LENGTH = 60
/** No name of a place has one. */
const SEPARATOR = ';'

export const worldClockTool = defineTool({
  name: NAME,
  title: ({ converters }) => converters.clock.title,
  summary: ({ converters }) => converters.clock.summary,
  calls: {
    en: ['world clock', 'world clocks', 'worldclock', 'international clock', 'world time clock'],
    fr: ['horloge mondiale', 'horloges mondiales'],
    de: ['weltzeituhr', 'weltuhr', 'weltzeituhr online'],
    es: ['reloj mundial', 'reloj internacional'],
    it: ['orologio mondiale', 'orologio mondo'],
    pt: ['relógio mundial'],
    nl: ['wereldklok', 'wereldtijdklok'],
    pl: ['zegar światowy', 'zegar świata'],
  },
  fields: ['places', 'add'],
  quota: 'suggestion',
  script: 'world-clock',
  async view(context, { places, add }) {
    const { words, services } = context
    const texts = words.converters.clock
    const usual = namesIn(texts.defaults).slice(0, context.path === PATH ? MAX_PLACES : PLACES_ABOVE_RESULTS)
    const before = places === '' && add === '' ? usual : namesIn(places)
    const isFull = before.length >= MAX_PLACES
    const added = isFull ? '' : add.trim().slice(0, MAX_NAME_LENGTH)
    const names = [...new Set([...before, ...(added === '' ? [] : [added])])]
    const found = await Promise.all(names.map(async (name) => ({ name, place: await findIn(context, name) })))
    const known = found.flatMap(({ name, place }) => (place ? [{ name, place }] : []))
    const missing = found.filter(({ place }) => !place)
    const problems = [
      ...missing.map(({ name }) => texts.notFound({ name })),
      ...(isFull && add.trim() !== '' ? [texts.full({ places: MAX_PLACES })] : []),
    ]
    const listed = known.map(({ name }) => name)
    const now = services.clock()
    const rows = known.map((clock) => clockRow(context, { ...clock, listed, now }))
    // The script fills in the difference, which only the browser can know.
    return html`<ul class="clocks" data-locale="${context.locale}" data-ahead="${texts.ahead({ difference: '{}' })}" data-behind="${texts.behind({ difference: '{}' })}" data-same="${texts.sameTime}" data-utc="${texts.utc({ offset: '{}' })}">${rows}</ul>
${problems.map(sentence)}
<div class="field needs-script clock-shift"><label for="tool-shift">${texts.shift}</label><input id="tool-shift" type="range" min="-12" max="12" step="1" value="0" data-shift><output for="tool-shift"></output></div>
<form class="clock-add" method="get" action="${PATH}"><input type="hidden" name="places" value="${listed.join(`${SEPARATOR} `)}">
<div class="field"><label for="tool-add">${texts.place}</label><input id="tool-add" name="add" type="text" value="" maxlength="${MAX_NAME_LENGTH}" required autocomplete="off" autocapitalize="words" spellcheck="false"></div>
<button type="submit" class="button button-primary">${texts.add}</button></form>`
  },
})

const namesIn = (text: string): string[] => {
  const names = text.split(SEPARATOR).map((name) => name.trim().slice(0, MAX_NAME_LENGTH))
  return [...new Set(names.filter((name) => name !== ''))].slice(0, MAX_PLACES)
}

/** Without a deadline and sources, so that only our own list is asked. */
const findIn = (context: PageContext, name: string): Promise<TimedPlace | undefined> =>
  findTimedPlace(fold(name), {
    language: resultLanguage(context),
    locale: context.locale,
    now: context.services.clock(),
    isExplicit: true,
    minPopulation: 0,
  })

interface Clock {
  name: string
  place: TimedPlace
  listed: readonly string[]
  now: number
}

function clockRow(context: PageContext, { name, place, listed, now }: Clock): Html {
  const { label, zone } = place
  const others = listed.filter((other) => other !== name).join(`${SEPARATOR} `)
  const remove = context.words.converters.clock.remove({ place: label })
  const { locale } = context
  const time = new Intl.DateTimeFormat(locale, { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: 'short', day: 'numeric', month: 'short' })
  return html`<li data-zone="${zone}"><span class="clock-place" dir="auto">${label}</span><span class="clock-time">${time.format(now)}</span><span class="clock-note"><span class="clock-day">${day.format(now)}</span> · <span class="clock-offset">${context.words.converters.clock.utc({ offset: offsetOf(zone, now) })}</span></span><span class="clock-difference needs-script"></span>${
    others !== '' &&
    html`<a class="clock-remove" href="${addressOf(PATH, { places: others })}" aria-label="${remove}">×</a>`
  }</li>`
}

/** `+5:30`; '' for UTC itself. */
function offsetOf(timeZone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
  return writeOffset(parts.find(({ type }) => type === 'timeZoneName')?.value.replace('GMT', '') ?? '')
}
