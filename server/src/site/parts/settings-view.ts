// Settings and administration pages, with a list of all of them beside or above the current one.
import { html, type Piece } from '../http/html.ts'
import type { PageContext, View } from '../http/page.ts'

const SETTINGS = ['search', 'sites', 'feeds', 'keys', 'connect', 'usage', 'account'] as const
const ADMIN = ['engines', 'ranking', 'providers', 'instance', 'appearance', 'sites', 'users', 'audit', 'usage'] as const

type SettingsPath = `/settings/${(typeof SETTINGS)[number]}` | `/admin/${(typeof ADMIN)[number]}`

interface SettingsContent extends Pick<View, 'title' | 'scripts' | 'searchDescription'> {
  content: Piece
  status?: number | undefined
  headers?: Record<string, string> | undefined
}

/** `current` is the entry in the list that the page belongs to. */
export function settingsView(context: PageContext, current: SettingsPath, page: SettingsContent): View {
  const { title, content, status = 200, headers = {}, ...rest } = page
  const { words, viewer, hasPage } = context
  const { settingsPages, adminPages, settingsLabel, adminLabel } = words.frame
  const link = (path: string, label: string) =>
    hasPage(path) && html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>`
  // A visitor has only what is stored in the browser; a user who must set up a second factor first can't open any of these pages.
  const settingsNames = SETTINGS.filter((name) => (viewer ? !viewer.mustEnrol : name === 'search' || name === 'sites'))
  const body = html`<div class="settings"><div class="settings-nav"><nav aria-label="${settingsLabel}"><ul>
${settingsNames.map((name) => link(`/settings/${name}`, settingsPages[name]))}</ul></nav>
${viewer?.isAdmin && !viewer.mustEnrol && html`<nav aria-label="${adminLabel}"><h2>${adminLabel}</h2><ul>${ADMIN.map((name) => link(`/admin/${name}`, adminPages[name]))}</ul></nav>`}
</div><div class="settings-page"><h1>${title}</h1>${content}</div></div>`
  return { title, body, layout: 'wide', status, headers, ...rest }
}
