// Security events, newest first. Settings → Account → Security activity: those of your own account; the account page
// shows the latest ones. Administration → Security events: those of all accounts and keys, filtered by user and event.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { findUser } from '../../accounts/users.ts'
import { AUDIT_EVENTS, isAuditEvent, ROUTINE_EVENTS } from '../../audit/audit-event.ts'
import type { AuditReader, AuditRecord } from '../../audit/audit-log.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, type Page, type PageContext } from '../http/page.ts'
import { cookieName } from '../http/page-context.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { type Column, dataTable } from '../parts/data-table.ts'
import { button, selectField, textField } from '../parts/form.ts'
import { notice, stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import type { SignedInContext } from './account-forms.ts'

export interface SecurityEventPagesParts {
  accounts: Accounts
  audit: AuditReader
}

const ACTIVITY_PATH = '/settings/account/activity'
const AUDIT_PATH = '/admin/audit'
const RECENT_EVENTS = 5
const EVENTS_PER_PAGE = 50
/** Holds the id of the latest event that this browser has shown on the account page. */
const ACTIVITY_COOKIE = 'bowerbird_activity'
const ACTIVITY_COOKIE_SECONDS = 400 * 86_400
const EVENT_ID = /^\d{1,18}$/

interface Filter {
  user: string
  event: string
}

const eventId = z.string().regex(EVENT_ID).optional().catch(undefined)

const ActivityQuery = z.object({ before: eventId })

const activityPage = (parts: SecurityEventPagesParts) =>
  definePage({
    method: 'GET',
    path: ACTIVITY_PATH,
    access: 'user',
    query: ActivityQuery,
    async handle(context) {
      const { audit } = context.words.security
      const { before } = context.query
      const filter = { aboutUserId: context.viewer.userId, before, limit: EVENTS_PER_PAGE }
      const events = await parts.audit.read(filter)
      const content = html`<p class="measure">${audit.mineHelp} ${audit.networkHelp}</p>
${eventTable(context, { caption: audit.activity, events, withAccount: false })}
<p class="row-actions">${moreLinks(context, events, { path: ACTIVITY_PATH, before })}
<a href="/settings/account">${context.words.frame.back}</a></p>`
      return settingsView(context, '/settings/account', { title: audit.activity, content })
    },
  })

const AuditQuery = z.object({
  user: z.string().trim().max(64).catch(''),
  event: z.string().catch(''),
  before: eventId,
})

const auditPage = ({ accounts, audit }: SecurityEventPagesParts) =>
  definePage({
    method: 'GET',
    path: AUDIT_PATH,
    access: 'admin',
    query: AuditQuery,
    async handle(context) {
      const { audit: words } = context.words.security
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
      const content = html`<p class="measure">${words.intro({ days: audit.retentionDays })} ${words.networkHelp}</p>
${filterForm(context, { user, event }, isUnknown)}
${eventTable(context, { caption: words.caption, events, withAccount: true })}
<p class="row-actions">${moreLinks(context, events, { path: AUDIT_PATH, filter: { user, event }, before })}</p>`
      return settingsView(context, AUDIT_PATH, { title: words.title, content })
    },
  })

export const securityEventPages = (parts: SecurityEventPagesParts): Page[] => [activityPage(parts), auditPage(parts)]

/** For the account page: a section with the latest events, and a notice of those since the last visit. */
export async function recentActivity(
  parts: SecurityEventPagesParts,
  context: SignedInContext,
): Promise<{ news: Piece; section: Html }> {
  const { audit } = context.words.security
  const cookie = cookieName(ACTIVITY_COOKIE, context.baseUrl.startsWith('https://'))
  const seen = context.cookie(cookie) ?? ''
  const events = await parts.audit.read({ aboutUserId: context.viewer.userId, limit: RECENT_EVENTS })
  const latest = events[0]?.id ?? ''
  if (latest !== seen) context.setCookie(cookie, latest, { maxAgeSeconds: ACTIVITY_COOKIE_SECONDS })
  return {
    news: EVENT_ID.test(seen) && (await newsSince(parts, seen, context)),
    section: html`<section class="stack"><h2>${audit.mine}</h2><p class="measure">${audit.mineHelp}</p>
${eventTable(context, { caption: audit.mine, events, withAccount: false })}
<p><a href="${ACTIVITY_PATH}">${audit.all}</a></p></section>`,
  }
}

/**
 * What the owner of the account may not know of: everything of importance that came from another network than theirs,
 * but of sign-ins only the first from each network.
 */
async function newsSince(
  parts: SecurityEventPagesParts,
  seen: string,
  { viewer, words, ip }: SignedInContext,
): Promise<Piece> {
  const { audit } = words.security
  const filter = { aboutUserId: viewer.userId, outcome: 'ok', except: ROUTINE_EVENTS, after: seen } as const
  const events = await parts.audit.read({ ...filter, limit: EVENTS_PER_PAGE })
  const here = parts.accounts.networkOf(ip)
  const news = events.filter(
    ({ event, network, isNewNetwork }) => network !== here && (event !== 'sign-in' || isNewNetwork),
  )
  const counts = Map.groupBy(news, ({ event, isNewNetwork }) =>
    [nameOf(event, words), isNewNetwork && audit.newNetwork].filter(Boolean).join(' · '),
  )
  const items = [...counts].map(([name, { length }]) => html`<li>${name}${length > 1 && ` × ${length}`}</li>`)
  return items.length > 0 && notice('plain', html`<p>${audit.since}</p><ul>${items}</ul>`)
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

/** An event of a newer version has no other name than its own. */
const nameOf = (event: string, { security: { audit } }: Words): string =>
  audit.events[event as keyof typeof audit.events] ?? event

/** The event, its outcome, and details. */
function eventCell({ event, outcome, detail, key, isNewNetwork }: AuditRecord, { words }: PageContext): Html {
  const { audit } = words.security
  const more = [
    audit.details[detail as keyof typeof audit.details] ?? detail,
    key && audit.key({ name: key.name || `#${key.id}` }),
    isNewNetwork && audit.newNetwork,
  ].filter(Boolean)
  return html`<span>${nameOf(event, words)}${outcome !== 'ok' && html` ${stateWord(outcome === 'failed' ? 'down' : 'partial', audit.outcomes[outcome])}`}
${more.length > 0 && html`<span class="beside">${more.join(' · ')}</span>`}</span>`
}

function actorCell({ actor, user, via, systemUser }: AuditRecord, { words, viewer }: PageContext): Piece {
  const { audit } = words.security
  if (via === 'command line')
    return html`<span>${audit.commandLine}${systemUser && html` <span class="beside">${systemUser}</span>`}</span>`
  if (via === 'API') return via
  if (!actor) return html`<span class="quiet">${audit.nobody}</span>`
  const isSelf = actor.id === viewer?.userId && actor.id === user?.id
  return html`<span><bdi>${actor.username}</bdi>${isSelf && html` <span class="quiet">(${words.accounts.users.you})</span>`}</span>`
}

const formatMoment = (at: Date, { locale }: PageContext): Html =>
  html`<time datetime="${at.toISOString()}">${new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(at)}</time>`
