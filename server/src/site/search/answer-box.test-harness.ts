// The results page with something beside the results: the real answers over sources that say what the test wrote down,
// and cards that are what the test wrote down.

import { randomInt } from 'node:crypto'
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import type { Answer } from '@bowerbird/answers/answer.ts'
import { createAnswers } from '@bowerbird/answers/answers.ts'
import { createExchange } from '@bowerbird/answers/live/exchange.ts'
import { createDeadline } from '@bowerbird/engines/deadline.ts'
import { ALL_CARDS } from '../../cards/all.ts'
import { createCards } from '../../cards/cards.ts'
import { createInstantAnswers, type InstantAnswers } from '../../cards/instant-answers.ts'
import { refuseOrLog } from '../../compose/compose-data.ts'
import { createLog } from '../../log.ts'
import { playedSources, type Sayings } from '../played-sources.test-harness.ts'
import { openSiteStage, type SiteStage, type StagePage } from '../site.test-harness.ts'
import { resultsPage } from './results-page.ts'
import { type Behaviours, openStagedSearch } from './search.test-harness.ts'

export interface BesideStage {
  /** What sources say to answers. */
  sayings?: Sayings
  answers?: readonly Answer[]
  translate?: (request: { text: string; target: string }) => Promise<{ text: string; source: string; target: string }>
  /** A card by its kind, or the error that it fails with, or a promise of either. */
  cards?: Record<string, unknown>
  engines?: Behaviours
  pages?: readonly StagePage[]
  timeoutMs?: number
}

const NOW = Date.UTC(2026, 10, 15, 12)

const log = createLog('silent')

/** The real answers, over sources that say what the test wrote down. */
export const openAnswers = ({
  sayings = {},
  answers = ALL_ANSWERS,
  timeoutMs = 5_000,
  translate,
}: Pick<BesideStage, 'sayings' | 'answers' | 'timeoutMs' | 'translate'> = {}): InstantAnswers =>
  createInstantAnswers(
    createAnswers({
      find: playedSources(sayings),
      startDeadline: () => createDeadline(timeoutMs),
      clock: () => NOW,
      onError: refuseOrLog(log),
      answers,
      translate,
      random: (below) => randomInt(below),
    }),
  )

export function openAnswerBox(stage: BesideStage = {}): Promise<SiteStage> {
  const { sayings = {}, cards = {}, engines = {}, pages = [resultsPage], timeoutMs = 5_000 } = stage
  const startDeadline = () => createDeadline(timeoutMs)
  const find = playedSources(sayings)
  const shared = { find, startDeadline, clock: () => NOW, log }
  return openSiteStage(
    {
      search: openStagedSearch(engines).search,
      answers: openAnswers(stage),
      exchange: createExchange(shared),
      cards: createCards({
        ...shared,
        cards: ALL_CARDS.map((card) => ({ ...card, ask: async () => settled(await cards[card.kind]) })),
        off: [],
        geocode: undefined,
      }),
      pictures: {
        signedPath: (address, kind) => (address.startsWith('https://') ? `/picture/${kind}/signed` : ''),
        find: () => undefined,
      },
    },
    pages,
  )
}

function settled(card: unknown): Record<string, unknown> | null {
  if (card instanceof Error) throw card
  // The test writes down a card of this kind.
  return (card ?? null) as Record<string, unknown> | null
}

/** The instant answer of a page, or ''. */
export const answerIn = (body: string): string => /<section class="answer"[\s\S]*?<\/section>/.exec(body)?.[0] ?? ''

/** The rail of a page, or ''. */
export const cardIn = (body: string): string => /<aside aria-label="Summary"[\s\S]*?<\/aside>/.exec(body)?.[0] ?? ''
