// A table of security events, for administrators and for the users they are about.
import type { AuditRecord } from '../../audit/audit-log.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PageContext } from '../http/page.ts'
import { type Column, dataTable } from './data-table.ts'
import { stateWord } from './notice.ts'

interface EventTableParts {
  caption: string
  events: readonly AuditRecord[]
  /** Whether to show which account each event is about. */
  withAccount: boolean
}

export function eventTable(context: PageContext, { caption, events, withAccount }: EventTableParts): Html {
  const { audit } = context.words.security
  if (events.length === 0) return html`<p>${audit.none}</p>`
  const columns: Column<AuditRecord>[] = [
    { label: audit.what, isHeading: true, cell: (event) => whatOf(event, context) },
    { label: audit.when, cell: ({ at }) => momentOf(at, context) },
    ...(withAccount
      ? [{ label: audit.about, cell: ({ user }: AuditRecord) => user && html`<bdi>${user.username}</bdi>` }]
      : []),
    { label: audit.who, cell: (event) => whoOf(event, context) },
    { label: audit.network, cell: ({ network }) => network !== '' && html`<code>${network}</code>` },
  ]
  return html`<div class="event-table">${dataTable(caption, columns, events)}</div>`
}

/** The event, its outcome, and details. */
function whatOf({ event, outcome, detail, key }: AuditRecord, { words }: PageContext): Html {
  const { audit } = words.security
  const name = audit.events[event as keyof typeof audit.events] ?? event
  const more = [
    audit.details[detail as keyof typeof audit.details] ?? detail,
    key && audit.key(key.name || `#${key.id}`),
  ].filter(Boolean)
  return html`<span>${name}${outcome !== 'ok' && html` ${stateWord(outcome === 'failed' ? 'down' : 'partial', audit.outcomes[outcome])}`}
${more.length > 0 && html`<span class="beside">${more.join(' · ')}</span>`}</span>`
}

function whoOf({ actor, user, via }: AuditRecord, { words, viewer }: PageContext): Piece {
  const { audit } = words.security
  if (via === 'command line') return audit.commandLine
  if (!actor) return html`<span class="quiet">${audit.nobody}</span>`
  const isSelf = actor.id === viewer?.userId && actor.id === user?.id
  return html`<span><bdi>${actor.username}</bdi>${isSelf && html` <span class="quiet">(${words.accounts.users.you})</span>`}</span>`
}

const momentOf = (at: Date, { locale }: PageContext): Html =>
  html`<time datetime="${at.toISOString()}">${new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(at)}</time>`
