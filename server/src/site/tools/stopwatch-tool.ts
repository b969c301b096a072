// A stopwatch with laps. It runs in the browser alone, by `assets/tools/stopwatch.js`.
import { html } from '../http/html.ts'
import { defineTool } from './define-tool.ts'

export const stopwatchTool = defineTool({
  name: 'stopwatch',
  title: ({ tools }) => tools.stopwatch.title,
  summary: ({ tools }) => tools.stopwatch.summary,
  calls: {
    en: ['stopwatch', 'stop watch', 'online stopwatch', 'stopwatch online'],
    fr: ['chronomètre', 'chronomètre en ligne'],
    de: ['stoppuhr', 'stoppuhr online', 'online-stoppuhr'],
    es: ['cronómetro', 'cronómetro online', 'cronómetro en línea'],
    it: ['cronometro', 'cronometro online'],
    pt: ['cronômetro', 'cronômetro online'],
    nl: ['stopwatch'],
    pl: ['stoper', 'stoper online'],
  },
  fields: [],
  script: 'stopwatch',
  view({ words: { tools }, locale }) {
    const { start, pause, reset } = tools
    const { lap, laps, needsScript } = tools.stopwatch
    const zero = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2, minimumFractionDigits: 1 }).format(0)
    return html`<p class="tool-value" role="timer" data-value>0:${zero}</p>
<noscript><p class="answer-note">${needsScript}</p></noscript>
<div class="actions needs-script"><button type="button" class="button button-primary" data-do="toggle" data-pause="${pause}">${start}</button>
<button type="button" class="button button-plain" data-do="lap" aria-keyshortcuts="l">${lap}</button>
<button type="button" class="button button-plain" data-do="reset" aria-keyshortcuts="r">${reset}</button></div>
<ol class="laps" aria-label="${laps}" aria-live="polite"></ol>`
  },
})
