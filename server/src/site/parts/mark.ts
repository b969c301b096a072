// The site's logo: the bower and the blue thing in it, in the colours of the theme.
import { html } from '../http/html.ts'

export const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M5.5 29C3 18 6.5 9 14 3.5M26.5 29C29 18 25.5 9 18 3.5M10.5 29C9 20.5 10.5 13 16 7.5C21.5 13 23 20.5 21.5 29"/><circle cx="16" cy="24.5" r="4"/></svg>`
