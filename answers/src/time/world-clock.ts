// World clock: `time in tokyo`, `uhrzeit in new york`, `quelle heure est-il à Paris`. A place or zone must follow the
// trigger; `what time is it` alone asks for the client's local time, or UTC if its zone is unknown. Must not answer:
// `time`, `time magazine`, `new york times`, `time in a bottle`, `prime time`, `what time is it mr wolf`.
import { z } from 'zod'
import { defineAnswer } from '../answer.ts'
import { dateLocale, writeDate } from '../lib/dates.ts'
import { readTriggers, type Triggers } from '../lib/read-triggers.ts'
import { colonIn, semicolonIn } from '../lib/write-text.ts'
import { type Language, regionOf } from '../question.ts'
import { findTimedPlace, type TimedPlace, writeClock, writeZone } from './place-time.ts'

/** Minimum population for a bare `tokyo time`: the city must be well known. */
const WELL_KNOWN = 400_000

const HINT = /time|now in|fuseau|fuso|horari|heure|uhr|zeit|hora|\bor[ae]\b|orario|tijd|hoe laat|spat|clock/

/** `place` follows an unmistakable trigger; `known` does not, so only a well-known place counts. */
const TRIGGERS: Triggers = {
  en: [
    /^(?:what(?:'s| is)? )?(?:the )?(?:current |exact |local )?time (?:is it )?(?:right now |now )?in (?<place>.{2,50}?)(?: (?:right )?now)?$/,
    /^what time is it (?:right now |now )?in (?<place>.{2,50}?)(?: (?:right )?now)?$/,
    /^(?:current|local) (?:time|date and time) (?:in )?(?<place>.{2,50})$/,
    /^(?<place>.{2,50}) (?:current time|time now|time zone now|local time)$/,
    /^(?:what (?:is the )?|which )?time ?zone (?:is |of |in |for )?(?<known>.{2,50}?)(?: in)?$/,
    /^(?<known>[a-z .'-]{3,40}) time ?zone$/,
    /^now in (?<known>[a-z .'-]{3,40})$/,
    /^(?:world )?clock (?:in )?(?<known>.{3,40})$/,
    /^(?:time (?<known>[a-z .'-]{3,40}))$/,
    /^(?!nice |essen )(?<known>[a-z .'-]{2,40}) time$/,
  ],
  fr: [
    /^(?:quelle )?heure (?:est[ -]il )?(?:actuelle(?:ment)? |locale |maintenant )?(?:a|au|aux|en|dans) (?<place>.{2,50})$/,
    /^(?:l')?heure (?:actuelle |locale )?(?:a|au|aux|en) (?<place>.{2,50})$/,
    /^fuseau horaire (?:de |du |d'|a |au )?(?<known>[a-z '-]{3,40})$/,
    /^(?:heure|horloge) (?:actuelle |locale )?(?<known>(?!est\b)[a-z '-]{3,40})$/,
  ],
  de: [
    /^(?:die )?(?:aktuelle |genaue )?(?:uhrzeit|ortszeit|zeit) (?:jetzt )?(?:in|auf) (?:der |den |dem )?(?<place>.{2,50})$/,
    /^(?:wie ?viel uhr|wie spat|welche uhrzeit)(?: ist es| haben wir)?(?: jetzt| gerade| aktuell)? (?:in|auf) (?:der |den |dem )?(?<place>.{2,50}?)(?: jetzt)?$/,
    /^(?:welche )?zeitzone (?:von |in |ist |hat )?(?<known>[a-zß .'-]{3,40})$/,
    /^(?:aktuelle )?(?:uhrzeit|ortszeit) (?<known>[a-zß .'-]{3,40})$/,
  ],
  es: [
    /^(?:que )?hora (?:es |actual )?(?:ahora )?en (?<place>.{2,50})$/,
    /^que horas? (?:es|son) (?:ahora )?en (?<place>.{2,50})$/,
    /^zona horaria (?:de |en )?(?<known>[a-z .'-]{3,40})$/,
    /^hora actual (?:de |en )?(?<known>[a-z .'-]{3,40})$/,
  ],
  it: [
    /^(?:che )?(?:ora|ore) (?:e |sono |attuale |locale )?(?:adesso |ora )?(?:a|ad|in|negli|nel|nelle) (?<place>.{2,50})$/,
    /^fuso orario (?:di |a |in )?(?<known>[a-z .'-]{3,40})$/,
    /^(?:ora|orario) (?:attuale|locale) (?:di |a )?(?<known>[a-z .'-]{3,40})$/,
  ],
  pt: [
    /^(?:que )?horas? (?:e |sao |atual |agora )?(?:agora )?(?:em|no|na|nos|nas) (?<place>.{2,50})$/,
    /^fuso horario (?:de |em |do |da )?(?<known>[a-z .'-]{3,40})$/,
    /^hora atual (?:de |em )?(?<known>[a-z .'-]{3,40})$/,
  ],
  nl: [
    /^(?:hoe laat|welke tijd) is het (?:nu |momenteel )?(?:in|op) (?<place>.{2,50}?)(?: nu)?$/,
    /^(?:huidige |lokale )?tijd (?:nu )?in (?<place>.{2,50})$/,
    /^tijdzone (?:van |in )?(?<known>[a-z .'-]{3,40})$/,
    /^(?:huidige|lokale) tijd (?<known>[a-z .'-]{3,40})$/,
  ],
}

/** Asks for the client's local time. */
const LOCAL_TIME_TRIGGERS: Triggers = {
  en: [
    /^(?:what time is it|what(?:'s| is)? the (?:current |exact |local )?time|(?:my )?(?:current|local|exact) time|time)(?: (?:right )?now| here| today)$/,
    /^(?:what time is it|what(?:'s| is)? the (?:current |exact |local )?time|(?:my )?(?:current|exact) time|my local time)$/,
  ],
  fr: [
    /^(?:quelle heure (?:est[ -]il|il est)|il est quelle heure|(?:l')?heure (?:actuelle|exacte))(?: maintenant| actuellement)?$/,
  ],
  de: [
    /^(?:wie ?viel uhr (?:ist es|haben wir)|wie spat (?:ist es|haben wir)|welche uhrzeit (?:ist|haben wir)|(?:aktuelle|genaue) (?:uhrzeit|zeit))(?: jetzt| gerade| aktuell| hier)?$/,
    /^uhrzeit (?:jetzt|aktuell|hier)$/,
  ],
  es: [/^(?:que horas? (?:es|son)|hora (?:actual|exacta))(?: ahora| aqui)?$/],
  it: [/^(?:che ore sono|che ora e|ora (?:attuale|esatta))(?: adesso| ora| qui)?$/],
  pt: [/^(?:que horas? (?:e|sao)|hora (?:atual|certa))(?: agora| aqui)?$/],
  nl: [/^(?:hoe laat is (?:het|'t)|wat is de tijd|(?:huidige|exacte) tijd)(?: nu| hier)?$/],
}

interface ClockMatch {
  /** '' for the client's local time. */
  name: string
  isExplicit: boolean
  language: Language
}

export const worldClock = defineAnswer({
  slug: 'world_clock',
  title: 'World clock',
  summary: 'The time and date in a city, a country or a time zone.',
  examples: [
    { q: 'time in tokyo' },
    { q: 'what time is it' },
    { q: 'heure à Paris', lang: 'fr' },
    { q: 'uhrzeit in new york', lang: 'de' },
    { q: 'que hora es en lima', lang: 'es' },
    { q: 'che ore sono a londra', lang: 'it' },
    { q: 'que horas são em tóquio', lang: 'pt' },
    { q: 'hoe laat is het in sydney', lang: 'nl' },
  ],
  reply: z.object({
    place: z.string().describe('Empty for the caller’s own time'),
    country: z.string().describe('ISO 3166-1 alpha-2, or empty for a time zone'),
    time_zone: z.string().describe('IANA name or offset'),
    abbreviation: z.string().describe('Such as CET and UTC+1'),
    utc_offset: z.string(),
    date: z.string(),
    time: z.string().describe('24 hours'),
  }),
  match(question): ClockMatch | null {
    if (!HINT.test(question.folded)) return null
    const localTime = readTriggers(question, LOCAL_TIME_TRIGGERS, () => ({ name: '', isExplicit: true }))
    if (localTime) return localTime
    return readTriggers(question, TRIGGERS, ({ place = '', known = '' }) => ({
      name: place || known,
      isExplicit: place !== '',
    }))
  },
  async answer({ name, isExplicit, language }, context) {
    const { question, now } = context
    const locale = dateLocale(question, language)
    const place =
      name === ''
        ? clientPlace(context.zone)
        : await findTimedPlace(name, {
            language,
            locale,
            now,
            isExplicit,
            home: regionOf(question.tag),
            minPopulation: isExplicit ? 0 : WELL_KNOWN,
            ...(isExplicit && { context }),
          })
    if (!place) return null
    const { momentIn } = await import('../lib/calendar.ts')
    const moment = momentIn(place.zone, now)
    const abbreviation = await writeZone(place, moment)
    const remark = [abbreviation, place.span].filter(Boolean).join(semicolonIn(language))
    const when = `${writeClock(moment, locale)}, ${writeDate(moment.date, 'full', locale)}`
    const where = place.label === '' ? '' : `${place.label}${colonIn(language)} `
    return {
      text: `${where}${when}${remark && ` (${remark})`}`,
      place: place.label,
      country: place.country,
      time_zone: place.zone,
      abbreviation,
      utc_offset: moment.offset,
      date: moment.date,
      time: moment.time,
    }
  },
})

/** Has no label, because labels name places and people know where they are. */
const clientPlace = (zone = 'UTC'): TimedPlace => ({
  label: '',
  country: '',
  zone,
  isZone: zone === 'UTC',
  span: '',
})
