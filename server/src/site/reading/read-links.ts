// Which addresses the Read view fetches: those that a page of results has just shown, and no others. Each link to it
// carries a signature, made when the results were, for the account that saw them; visitors without one all see the same
// page. So nothing has to be remembered about anybody, and nobody can have this server fetch an address of their own.
import { httpAddress } from '../../text/http-address.ts'
import { isSameMark } from '../../text/keyed-hash.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

export const READ_PATH = '/read'

const HOUR_MS = 3_600_000
/** A link is good for at least two hours, as what a key has found is, and less than three. */
const HOURS_BEFORE = 2

type Reading = Pick<PageContext, 'viewer' | 'services'>

/** The way to read a page, and from there back to the results; '' if this instance reads none. */
export function readAddress(context: Reading, address: string, search: Record<string, string | number>): string {
  const { reading, clock } = context.services
  if (!reading || httpAddress(address) === '') return ''
  return addressOf(READ_PATH, { ...search, url: address, s: markOf(context, address, hourOf(clock())) })
}

/** Whether this reader was shown the address lately. */
export function wasShown(context: Reading, address: string, mark: string): boolean {
  if (mark === '') return false
  const hour = hourOf(context.services.clock())
  for (let before = 0; before <= HOURS_BEFORE; before += 1) {
    if (isSameMark(mark, markOf(context, address, hour - before))) return true
  }
  return false
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

const markOf = ({ viewer, services }: Reading, address: string, hour: number): string =>
  services.reading?.mark(`${hour}\n${viewer ? `user ${viewer.userId}` : 'visitor'}\n${address}`) ?? ''
