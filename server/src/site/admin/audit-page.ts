// Administration → Security events: what happened to accounts and keys, newest first, filtered by user and event.
import { z } from 'zod'
import { findUser } from '../../accounts/users.ts'
import { AUDIT_EVENTS, isAuditEvent } from '../../audit/audit-event.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { eventTable } from '../parts/event-table.ts'
import { button, selectField, textField } from '../parts/form.ts'
import { settingsFrame } from '../parts/settings-frame.ts'

const PATH = '/admin/audit'
const ON_A_PAGE = 50

interface Filter {
  user: string
  event: string
}

export const auditPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'admin',
  query: z.object({
    user: z.string().trim().max(64).catch(''),
    event: z.string().catch(''),
    before: z
      .string()
      .regex(/^\d{1,18}$/)
      .optional()
      .catch(undefined),
  }),
  async handle(context) {
    const { audit: words } = context.words.security
    const { audit, accounts } = context.services
    const { user, event, before } = context.query
    const found = user === '' ? undefined : await findUser(accounts.access, user)
    const isUnknown = user !== '' && !found
    const events = isUnknown
      ? []
      : await audit.read({
          userId: found?.id,
          event: isAuditEvent(event) ? event : undefined,
          before,
          limit: ON_A_PAGE,
        })
    const last = events.length === ON_A_PAGE ? events.at(-1)?.id : undefined
    const content = html`<p class="measure">${words.intro(audit.retentionDays)} ${words.networkHelp}</p>
${filterForm(context, { user, event }, isUnknown)}
${eventTable(context, { caption: words.caption, events, withAccount: true })}
<p class="row-actions">${before !== undefined && html`<a href="${addressOf(PATH, { user, event })}">${words.newest}</a>`}
${last && html`<a href="${addressOf(PATH, { user, event, before: last })}">${words.older}</a>`}</p>`
    const body = settingsFrame(context, PATH, { title: words.title, content })
    return { title: words.title, body, layout: 'wide' }
  },
})

function filterForm({ words }: PageContext, { user, event }: Filter, isUnknown: boolean): Html {
  const { audit } = words.security
  const options = [
    { value: '', label: audit.anyEvent },
    ...AUDIT_EVENTS.map((name) => ({ value: name, label: audit.events[name] })),
  ]
  return html`<form class="form event-filter" method="get" action="${PATH}">
${textField({ name: 'user', label: audit.user, value: user, maxlength: 64, optional: words.frame.optional, errors: isUnknown ? [audit.unknownUser] : undefined })}
${selectField({ name: 'event', label: audit.event, value: event, options, optional: words.frame.optional })}
${button(audit.filter, 'plain')}</form>`
}
