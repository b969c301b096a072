// Builds the services that use data sources: places, translation, instant answers, exchange rates and cards.
import { randomInt } from 'node:crypto'
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import type { Answer } from '@bowerbird/answers/answer.ts'
import { createAnswers } from '@bowerbird/answers/answers.ts'
import { createExchange } from '@bowerbird/answers/live/exchange.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import type { FindSource } from '@bowerbird/engines/source.ts'
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { createCards } from '../cards/cards.ts'
import { createInstantAnswers } from '../cards/instant-answers.ts'
import { Refusal } from '../errors.ts'
import type { Log } from '../log.ts'
import { createMaps } from '../maps/maps.ts'
import type { Configuration } from '../settings/configuration.ts'
import { createTranslate } from '../translate/translate.ts'

export function composeDataServices(configuration: Configuration, find: FindSource, log: Log) {
  const { disabledAnswers, disabledCards, searchTimeoutMs } = configuration
  const startDeadline = () => createDeadline(searchTimeoutMs)
  const maps = createMaps({ find, timeoutMs: searchTimeoutMs, startDeadline: createDeadline })
  const { translateMaxCharacters: maxCharacters, translateTimeoutMs } = configuration
  const translate = createTranslate({ find, maxCharacters, startDeadline: () => createDeadline(translateTimeoutMs) })
  // An instant answer has less time than a translation.
  const quickTranslate = createTranslate({ find, maxCharacters, startDeadline })
  const answers = createAnswers({
    answers: ALL_ANSWERS.filter(({ slug }) => !disabledAnswers.includes(slug)),
    find,
    translate: quickTranslate.isConfigured
      ? (request, isVisitor) => quickTranslate.translateIfOffered({ isVisitor }, request)
      : undefined,
    startDeadline,
    clock: Date.now,
    random: (below) => randomInt(below),
    onError: refuseOrLog(log),
  })
  const exchange = createExchange({
    // Who turned the answer off doesn't want its sources called by the converter either.
    find: disabledAnswers.includes('currency') ? () => undefined : find,
    startDeadline,
    clock: Date.now,
  })
  const cards = createCards({
    cards: ALL_CARDS,
    off: disabledCards,
    find,
    geocode: maps.isConfigured ? maps.find : undefined,
    startDeadline,
    clock: Date.now,
    log,
  })
  return { maps, translate, answers: createInstantAnswers(answers), exchange, cards }
}

const ANSWER_RETRY_SECONDS = 5

/** A failing source is a 503. Anything else is a bug of that answer: it is logged, and the other answers are tried. */
export const refuseOrLog =
  (log: Log) =>
  ({ slug, title }: Answer, error: unknown): void => {
    if (error instanceof Refusal) throw error
    if (error instanceof UpstreamError) {
      throw new Refusal('answer_failed', `${title}: the provider did not respond. Try again in a moment.`, {
        'Retry-After': String(error.retryAfterSeconds ?? ANSWER_RETRY_SECONDS),
      })
    }
    log.error({ err: error, answer: slug })
  }
