// Small blocks of a page: notices, the empty state of a list, text to copy, states, meters. A word or a shape shows the
// kind, never colour alone.
import { type Html, html, type Piece } from '../http/html.ts'

/** `good` after something worked, `partial` where something is missing, `bad` where something failed. */
export const notice = (kind: 'plain' | 'good' | 'partial' | 'bad', body: Piece): Html =>
  html`<div class="notice notice-${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${body}</div>`

/** Says what the page is for, and the first step. */
export const emptyState = (parts: { title: string; help: Piece; action?: Html }): Html =>
  html`<section class="empty"><h2>${parts.title}</h2><p>${parts.help}</p>${parts.action && html`<p>${parts.action}</p>`}</section>`

/** In sight from the start, so that nothing moves, where it can work. `name`: what it copies, for those who hear it. */
export const copyButton = (text: string, words: { copy: string; copied: string }, name = ''): Html =>
  html`<button type="button" class="button button-plain" data-copy="${text}" data-copied="${words.copied}"${name && html` aria-label="${name}"`}>${words.copy}</button>`

/** Text to copy, with its button. */
export const copyable = (text: string, words: { copy: string; copied: string }, label?: string): Html =>
  html`<div class="copyable"><pre tabindex="0"${label && html` aria-label="${label}"`}><code>${text}</code></pre>${copyButton(text, words)}</div>`

/** A state as a dot and a word. */
export const stateWord = (state: 'up' | 'partial' | 'down' | 'unknown', word: string): Html =>
  html`<span class="state-word"><span class="state state-${state}"></span>${word}</span>`

interface MeterParts {
  label: string
  value: number
  max: number
  /** `41 of 60`, in the reader's language. */
  text: string
}

/** A bar that shows how much of a limit is used, with the numbers in words beside it. */
export const meter = ({ label, value, max, text }: MeterParts): Html =>
  html`<div class="meter"><span class="meter-label">${label}</span><span class="meter-text">${text}</span><meter min="0" max="${max}" value="${Math.min(value, max)}" high="${max * 0.9}" aria-label="${label}">${text}</meter></div>`
