// Settings → Account → Security activity: the security events of your own account, newest first. The account page shows
// the latest ones.
import { z } from 'zod'
import { type Html, html } from '../http/html.ts'
import { definePage } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { eventTable } from '../parts/event-table.ts'
import type { OwnContext } from './member.ts'
import { framedAccount } from './own-change.ts'

const PATH = '/settings/account/activity'
const LATEST = 5
const ON_A_PAGE = 50

const activityPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  query: z.object({
    before: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional()
      .catch(undefined),
  }),
  async handle(context) {
    const { audit } = context.words.security
    const { before } = context.query
    const filter = { aboutUserId: context.viewer.userId, before, limit: ON_A_PAGE }
    const events = await context.services.audit.read(filter)
    const last = events.length === ON_A_PAGE ? events.at(-1)?.id : undefined
    const content = html`<p class="measure">${audit.mineHelp} ${audit.networkHelp}</p>
${eventTable(context, { caption: audit.activity, events, withAccount: false })}
<p class="row-actions">${before !== undefined && html`<a href="${PATH}">${audit.newest}</a>`}
${last && html`<a href="${addressOf(PATH, { before: last })}">${audit.older}</a>`}
<a href="/settings/account">${context.words.frame.back}</a></p>`
    return framedAccount(context, audit.activity, { content })
  },
})

export const activityPages = [activityPage]

/** A section of the account page. */
export async function recentActivity(context: OwnContext): Promise<Html> {
  const { audit } = context.words.security
  const events = await context.services.audit.read({ aboutUserId: context.viewer.userId, limit: LATEST })
  return html`<section class="stack"><h2>${audit.mine}</h2><p class="measure">${audit.mineHelp}</p>
${eventTable(context, { caption: audit.mine, events, withAccount: false })}
<p><a href="${PATH}">${audit.all}</a></p></section>`
}
