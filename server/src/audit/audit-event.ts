// The security events that are recorded, with one row and one log line each. These names are stored in the database and
// used in the log, in `bowerbird audit` and in URLs, so they never change their meaning.

export const AUDIT_EVENTS = [
  'sign-in',
  'sign-out',
  'session-ended',
  'all-sessions-ended',
  'identity-confirmed',
  'setup',
  'password-changed',
  'password-reset',
  'second-factor-on',
  'second-factor-off',
  'recovery-code-used',
  'recovery-codes-renewed',
  'passkey-added',
  'passkey-removed',
  'identity-connected',
  'identity-disconnected',
  'key-created',
  'key-rotated',
  'key-revoked',
  'feeds-changed',
  'user-created',
  'user-disabled',
  'user-enabled',
  'user-deleted',
  'invitation-created',
  'invitation-revoked',
  'invitation-accepted',
  'account-exported',
  'role-granted',
  'role-removed',
  'access-denied',
  'settings-changed',
  'site-rules-changed',
  'secret-rotated',
  'backup',
  'restore',
] as const

export type AuditEventName = (typeof AUDIT_EVENTS)[number]
export type AuditOutcome = 'ok' | 'failed' | 'throttled'

export const isAuditEvent = (name: string): name is AuditEventName => (AUDIT_EVENTS as readonly string[]).includes(name)

/** What owners need not be told about on their account page. They see every other event that came from elsewhere. */
export const ROUTINE_EVENTS: readonly AuditEventName[] = [
  'sign-out',
  'session-ended',
  'all-sessions-ended',
  'identity-confirmed',
  'setup',
  'user-created',
  'invitation-accepted',
  'access-denied',
]

/** How someone authenticated, or another one-word detail. */
export const AUDIT_DETAILS = [
  'password',
  'new-password',
  'code',
  'recovery-code',
  'passkey',
  'identity-provider',
  'trusted-header',
  'not-connected',
  'not-allowed',
  'name-taken',
  'disabled',
  'expired',
  'administrator',
  'service',
  'with-second-factor',
] as const

export type AuditDetail = (typeof AUDIT_DETAILS)[number]

/** Someone acting on the website, or a program with a key. */
export interface Actor {
  /** Undefined if they are not signed in. */
  userId?: string | undefined
  /** A keyed hash of their network, never the address itself. */
  network: string
  /** The website by default. */
  via?: 'API'
}

export interface NewAuditEvent {
  event: AuditEventName
  outcome?: AuditOutcome
  /** The account that the event is about. */
  userId?: string | undefined
  keyId?: string
  /** One of our own words, a route pattern or names of settings. Never anything that someone typed. */
  detail?: AuditDetail | `/${string}` | Uppercase<string>
}
