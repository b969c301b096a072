// A bar that shows how much of a limit is used, with the numbers in words beside it.
import { type Html, html } from '../http/html.ts'

export interface MeterParts {
  label: string
  value: number
  max: number
  /** `41 of 60`, in the reader's language. */
  text: string
}

export const meter = ({ label, value, max, text }: MeterParts): Html =>
  html`<div class="meter"><span class="meter-label">${label}</span><span class="meter-text">${text}</span><meter min="0" max="${max}" value="${Math.min(value, max)}" high="${max * 0.9}" aria-label="${label}">${text}</meter></div>`
