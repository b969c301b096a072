// What the operator's settings and the reader's preferences make of a page's head: stylesheets, icons, the colour of the
// browser's own frame. And the logo.
import type { Logo } from '../../settings/logo-file.ts'
import { extraStylePath, LOGO_PATH, STYLESHEET_PATH, TOUCH_ICON_PATH } from '../assets.ts'
import { type Html, html } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import type { Theme } from '../preferences.ts'
import { accentPath, logoPath, MANIFEST_PATH } from './appearance-routes.ts'

/** Our own logo, a bower with a blue object in it, in the colours of the theme. */
const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M5.5 29C3 18 6.5 9 14 3.5M26.5 29C29 18 25.5 9 18 3.5M10.5 29C9 20.5 10.5 13 16 7.5C21.5 13 23 20.5 21.5 29"/><circle cx="16" cy="24.5" r="4"/></svg>`

/** The name stands beside it, so it has no text of its own. */
export const logoView = ({ appearance }: PageContext): Html =>
  appearance.logo ? html`<img class="mark" src="${logoPath(appearance.logo)}" alt="">` : MARK

const PAPER = { light: '#fbf9f4', dark: '#14130f' }
const CONTRAST_PAPER = { light: '#fff', dark: '#000' }

export function appearanceHead({ preferences: { theme, density }, appearance }: PageContext): Html {
  const { accent, logo } = appearance
  const ownColour = accent !== undefined && theme !== 'contrast' && accentPath(accent)
  const sheets = [
    STYLESHEET_PATH,
    ownColour,
    theme === 'contrast' && extraStylePath('contrast'),
    density === 'compact' && extraStylePath('compact'),
  ].filter((path) => path !== false)
  return html`<meta name="color-scheme" content="${schemeOf(theme)}">
${frameColours(theme)}
${sheets.map((path) => html`<link rel="stylesheet" href="${path}">`)}
<link rel="icon" type="${logo?.contentType ?? 'image/svg+xml'}" href="${logo ? logoPath(logo) : LOGO_PATH}">
<link rel="apple-touch-icon" href="${touchIcon(logo)}">
<link rel="manifest" href="${MANIFEST_PATH}">`
}

const schemeOf = (theme: Theme): string => (theme === 'light' || theme === 'dark' ? theme : 'light dark')

/** The frame that a browser or an installed app draws around the page. */
function frameColours(theme: Theme): Html {
  if (theme === 'light' || theme === 'dark') return html`<meta name="theme-color" content="${PAPER[theme]}">`
  const { light, dark } = theme === 'contrast' ? CONTRAST_PAPER : PAPER
  return html`<meta name="theme-color" content="${light}"><meta name="theme-color" media="(prefers-color-scheme:dark)" content="${dark}">`
}

/** Apple's devices take only PNG. */
const touchIcon = (logo: Logo | undefined): string =>
  logo?.contentType === 'image/png' ? logoPath(logo) : TOUCH_ICON_PATH
