// The frame of settings and administration pages, with a list of all of them beside or above the current one.
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { button, postForm } from './form.ts'

const SETTINGS = ['search', 'keys', 'connect', 'usage', 'account'] as const
const ADMIN = ['providers', 'users', 'audit', 'usage'] as const

export type SettingsPath = `/settings/${(typeof SETTINGS)[number]}` | `/admin/${(typeof ADMIN)[number]}`

/** The body of a settings page, for `layout: 'wide'`. `current` is the entry in the list that this page belongs to. */
export function settingsFrame(
  context: PageContext,
  current: SettingsPath,
  body: { title: string; content: Piece },
): Html {
  const { words, viewer, hasPage } = context
  const { settingsPages, adminPages, settingsLabel, adminLabel } = words.frame
  const link = (path: string, label: string) =>
    hasPage(path) && html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${label}</a></li>`
  // A user who must set up a second factor cannot open the other pages.
  const mine = SETTINGS.filter((name) => (viewer ? !viewer.mustEnrol : name === 'search'))
  return html`<div class="settings"><div class="settings-nav"><nav aria-label="${settingsLabel}"><ul>
${mine.map((name) => link(`/settings/${name}`, settingsPages[name]))}</ul></nav>
${viewer?.isAdmin && !viewer.mustEnrol && html`<nav aria-label="${adminLabel}"><h2>${adminLabel}</h2><ul>${ADMIN.map((name) => link(`/admin/${name}`, adminPages[name]))}</ul></nav>`}
${viewer && hasPage('/logout') && postForm(context, { action: '/logout', body: button(words.frame.signOut, 'plain'), isInline: true })}
</div><div class="settings-page"><h1>${body.title}</h1>${body.content}</div></div>`
}
