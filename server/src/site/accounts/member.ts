// The current visitor or user, in the form the account services expect.
import type { Member, Visitor } from '../../accounts/account-parts.ts'
import type { AdminContext } from '../../keys/admin-context.ts'
import type { PageContext } from '../http/page.ts'
import type { Viewer } from '../site-services.ts'

export type OwnContext = PageContext<unknown, unknown, Viewer>

export const visitorOf = ({ ip, userAgent }: Pick<PageContext, 'ip' | 'userAgent'>): Visitor => ({
  address: ip,
  userAgent,
})

export const memberOf = (context: Pick<OwnContext, 'ip' | 'userAgent' | 'viewer'>): Member & { username: string } => ({
  ...visitorOf(context),
  userId: context.viewer.userId,
  username: context.viewer.username,
})

/** For changing users and keys on behalf of the signed-in user. */
export const actingAccess = ({ ip, viewer, services }: Pick<OwnContext, 'ip' | 'viewer' | 'services'>): AdminContext =>
  services.accounts.accessBy({ address: ip, userId: viewer.userId })
