// Shows the results so far while a slow engine is still running. They are sent immediately, in a `template` that
// `assets/streaming.js` puts in place; without JavaScript it stays invisible, and the page is the usual one, only
// later.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Tab } from '@bowerbird/engines/engine.ts'
import type { ResultsSoFar, SearchWatcher } from '../../search/search-watcher.ts'
import { type Html, html } from '../http/html.ts'
import type { SearchWords } from '../i18n/en/search.ts'
import type { AnswerBox } from './answer-box.ts'

/** A search that takes longer is slow. Most uncached ones take less. */
const SLOW_MS = 400

export interface EarlyResults {
  soFar: ResultsSoFar<Tab>
  beside: AnswerBox
  /** The slots that have not answered yet. */
  waitingFor: readonly string[]
}

interface WatchedSearch {
  watcher: SearchWatcher<Tab>
  /** undefined: the search finished first, or there is nothing to show yet. */
  early: (running: Promise<unknown>, asking: Promise<AnswerBox>) => Promise<EarlyResults | undefined>
}

export function watchSearch(): WatchedSearch {
  const waitingFor = new Set<string>()
  const { promise: results, resolve } = Promise.withResolvers<() => ResultsSoFar<Tab> | undefined>()
  return {
    watcher: {
      onStart: (slots) => {
        for (const slot of slots) waitingFor.add(slot)
      },
      onEngine: ({ slot }) => void waitingFor.delete(slot),
      onResults: resolve,
      // Readers who leave a page often come back: finish the search, for the cache.
      signal: new AbortController().signal,
    },
    async early(running, asking) {
      const over = running.then(
        () => undefined,
        () => undefined,
      )
      // Also wait for the answer box, so that nothing is inserted above the results later.
      const ready = Promise.all([results, asking, sleep(SLOW_MS, undefined, { ref: false })])
      const first = await Promise.race([over, ready])
      const soFar = first?.[0]()
      if (!first || !soFar || soFar.results.length === 0) return undefined
      return { soFar, beside: first[1], waitingFor: [...waitingFor] }
    },
  }
}

interface EarlyPart {
  words: SearchWords
  /** Names of engines. */
  waitingFor: string
  beside: AnswerBox
  list: Html
}

/** The element after the template tells the script that the template is complete. */
export const earlyPart = ({ words, waitingFor, beside, list }: EarlyPart): Html =>
  html`<template data-early data-settled="${words.early.settled}" data-sort="${words.early.sort}"><div class="columns early"><div class="column">
<h1 class="visually-hidden">${words.results}</h1>
<div class="waiting" role="status">${words.early.waitingFor(waitingFor)}</div>${beside.answer}
${list}
</div>${beside.card && html`<aside class="rail" aria-label="${words.card}">${beside.card}</aside>`}</div></template><wbr hidden>
`
