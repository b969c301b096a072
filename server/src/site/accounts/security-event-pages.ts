// Security events, newest first. Settings → Account → Security activity: those of your own account; the account page
// shows the latest ones. Administration → Security events: those of all accounts and keys, filtered by user and event.
import { z } from 'zod'
import { findUser } from '../../accounts/users.ts'
import { AUDIT_EVENTS, isAuditEvent } from '../../audit/audit-event.ts'
import type { AuditRecord } from '../../audit/audit-log.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { button, selectField, textField } from '../parts/form.ts'
import { dateLocaleOf } from '../parts/formats.ts'
import { stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { SignedInContext } from './account-forms.ts'

const ACTIVITY_PATH = '/settings/account/activity'
const AUDIT_PATH = '/admin/audit'
const RECENT_EVENTS = 5
const EVENTS_PER_PAGE = 50

interface Filter {
  user: string
  event: string
}

const eventId = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional()
  .catch(undefined)

const activityPage = definePage({
  method: 'GET',
  path: ACTIVITY_PATH,
  access: 'user',
  query: z.object({ before: eventId }),
  async handle(context) {
    const { audit } = context.words.security
    const { before } = context.query
    const filter = { aboutUserId: context.viewer.userId, before, limit: EVENTS_PER_PAGE }
    const events = await context.services.audit.read(filter)
    const content = html`<p class="measure">${audit.mineHelp} ${audit.networkHelp}</p>
${eventTable(context, { caption: audit.activity, events, withAccount: false })}
<p class="row-actions">${moreLinks(context, events, { path: ACTIVITY_PATH, before })}
<a href="/settings/account">${context.words.frame.back}</a></p>`
    return settingsView(context, '/settings/account', { title: audit.activity, content })
  },
})

const auditPage = definePage({
  method: 'GET',
  path: AUDIT_PATH,
  access: 'admin',
  query: z.object({
    user: z.string().trim().max(64).catch(''),
    event: z.string().catch(''),
    before: eventId,
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
          limit: EVENTS_PER_PAGE,
        })
    const content = html`<p class="measure">${words.intro(audit.retentionDays)} ${words.networkHelp}</p>
${filterForm(context, { user, event }, isUnknown)}
${eventTable(context, { caption: words.caption, events, withAccount: true })}
<p class="row-actions">${moreLinks(context, events, { path: AUDIT_PATH, filter: { user, event }, before })}</p>`
    return settingsView(context, AUDIT_PATH, { title: words.title, content })
  },
})

export const securityEventPages = [activityPage, auditPage]

/** A section of the account page. */
export async function recentActivity(context: SignedInContext): Promise<Html> {
  const { audit } = context.words.security
  const events = await context.services.audit.read({ aboutUserId: context.viewer.userId, limit: RECENT_EVENTS })
  return html`<section class="stack"><h2>${audit.mine}</h2><p class="measure">${audit.mineHelp}</p>
${eventTable(context, { caption: audit.mine, events, withAccount: false })}
<p><a href="${ACTIVITY_PATH}">${audit.all}</a></p></section>`
}

function filterForm({ words }: PageContext, { user, event }: Filter, isUnknown: boolean): Html {
  const { audit } = words.security
  const options = [
    { value: '', label: audit.anyEvent },
    ...AUDIT_EVENTS.map((name) => ({ value: name, label: audit.events[name] })),
  ]
  return html`<form class="form event-filter" method="get" action="${AUDIT_PATH}">
${textField({ name: 'user', label: audit.user, value: user, maxlength: 64, optional: words.frame.optional, errors: isUnknown ? [audit.unknownUser] : undefined })}
${selectField({ name: 'event', label: audit.event, value: event, options, optional: words.frame.optional })}
${button(audit.filter, 'plain')}</form>`
}

interface EventList {
  path: string
  filter?: Record<string, string>
  /** Only events older than this one are listed. */
  before: string | undefined
}

/** Links to the newest events, and to older ones if the page is full. */
function moreLinks({ words }: PageContext, events: readonly AuditRecord[], list: EventList): Html {
  const { audit } = words.security
  const { path, filter = {}, before } = list
  const last = events.length === EVENTS_PER_PAGE ? events.at(-1)?.id : undefined
  return html`${before !== undefined && html`<a href="${addressOf(path, filter)}">${audit.newest}</a>`}
${last && html`<a href="${addressOf(path, { ...filter, before: last })}">${audit.older}</a>`}`
}

interface EventTableParts {
  caption: string
  events: readonly AuditRecord[]
  /** Whether to show which account each event is about. */
  withAccount: boolean
}

function eventTable(context: PageContext, { caption, events, withAccount }: EventTableParts): Html {
  const { audit } = context.words.security
  if (events.length === 0) return html`<p>${audit.none}</p>`
  const columns: Column<AuditRecord>[] = [
    { label: audit.what, isHeading: true, cell: (event) => eventCell(event, context) },
    { label: audit.when, cell: ({ at }) => formatMoment(at, context) },
    ...(withAccount
      ? [{ label: audit.about, cell: ({ user }: AuditRecord) => user && html`<bdi>${user.username}</bdi>` }]
      : []),
    { label: audit.who, cell: (event) => actorCell(event, context) },
    { label: audit.network, cell: ({ network }) => network !== '' && html`<code>${network}</code>` },
  ]
  return html`<div class="event-table">${dataTable(caption, columns, events)}</div>`
}

/** The event, its outcome, and details. */
function eventCell({ event, outcome, detail, key }: AuditRecord, { words }: PageContext): Html {
  const { audit } = words.security
  const name = audit.events[event as keyof typeof audit.events] ?? event
  const more = [
    audit.details[detail as keyof typeof audit.details] ?? detail,
    key && audit.key(key.name || `#${key.id}`),
  ].filter(Boolean)
  return html`<span>${name}${outcome !== 'ok' && html` ${stateWord(outcome === 'failed' ? 'down' : 'partial', audit.outcomes[outcome])}`}
${more.length > 0 && html`<span class="beside">${more.join(' · ')}</span>`}</span>`
}

function actorCell({ actor, user, via }: AuditRecord, { words, viewer }: PageContext): Piece {
  const { audit } = words.security
  if (via === 'command line') return audit.commandLine
  if (via === 'API') return via
  if (!actor) return html`<span class="quiet">${audit.nobody}</span>`
  const isSelf = actor.id === viewer?.userId && actor.id === user?.id
  return html`<span><bdi>${actor.username}</bdi>${isSelf && html` <span class="quiet">(${words.accounts.users.you})</span>`}</span>`
}

const formatMoment = (at: Date, { locale }: PageContext): Html =>
  html`<time datetime="${at.toISOString()}">${new Intl.DateTimeFormat(dateLocaleOf(locale), {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(at)}</time>`
