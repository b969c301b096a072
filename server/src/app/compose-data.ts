// Builds the services that use data sources: places, translation, instant answers and cards.
import { randomInt } from 'node:crypto'
import { ALL_ANSWERS } from '../answers/all.ts'
import { createAnswers } from '../answers/answers.ts'
import type { ApiServices } from '../api/api-services.ts'
import { ALL_CARDS } from '../cards/all.ts'
import type { Geocode } from '../cards/card.ts'
import { createCards } from '../cards/cards.ts'
import type { Log } from '../log.ts'
import { mapLinks } from '../maps/map-links.ts'
import { createMaps, type Maps } from '../maps/maps.ts'
import type { FindSource } from '../providers/source.ts'
import { createTranslate } from '../translate/translate.ts'
import { createDeadline } from '../upstream/deadline.ts'
import type { Configuration } from './configuration.ts'

type DataServices = Pick<ApiServices, 'maps' | 'translate' | 'answers' | 'cards'>

export function composeDataServices(configuration: Configuration, find: FindSource, log: Log): DataServices {
  const { answersOff, cardsOff, searchTimeoutMs } = configuration
  const startDeadline = () => createDeadline(searchTimeoutMs)
  const maps = createMaps({ find, timeoutMs: searchTimeoutMs, startDeadline: createDeadline })
  const { translateMaxCharacters: maxCharacters, translateTimeoutMs } = configuration
  const translate = createTranslate({ find, maxCharacters, startDeadline: () => createDeadline(translateTimeoutMs) })
  // An instant answer has less time than a translation.
  const quick = createTranslate({ find, maxCharacters, startDeadline })
  const answers = createAnswers({
    answers: ALL_ANSWERS.filter(({ slug }) => !answersOff.includes(slug)),
    find,
    translate: quick.isConfigured ? quick.translateIfOffered : undefined,
    startDeadline,
    clock: Date.now,
    random: (below) => randomInt(below),
    log,
  })
  const cards = createCards({
    cards: ALL_CARDS,
    off: cardsOff,
    find,
    geocode: geocodeWith(maps),
    startDeadline,
    clock: Date.now,
    log,
  })
  return { maps, translate, answers, cards }
}

/** Geocodes for the map card, so that cards don't depend on the maps service. */
const geocodeWith = (maps: Maps): Geocode | undefined =>
  maps.isConfigured
    ? async (text, lang) => {
        const place = await maps.find(text, lang)
        return place && { ...place, ...mapLinks(place) }
      }
    : undefined
