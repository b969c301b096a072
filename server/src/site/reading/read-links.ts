// Signs the links to the Read view, so that it fetches only addresses that a results page has just shown. The signature
// is made with the results, for the account that saw them; visitors without an account share one. So the server stores
// nothing about readers, and no one can make it fetch an address of their choice.
import { httpAddress } from '@bowerbird/engines/parsing/http-address.ts'
import { isSameHash } from '../../text/cryptography.ts'
import type { PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'

export const READ_PATH = '/read'

const HOUR_MS = 3_600_000
/** A link is valid for at least two hours, like the addresses that a key has found, and for less than three. */
const HOURS_BEFORE = 2

type Reading = Pick<PageContext, 'viewer' | 'services'>

/** Returns the Read link of a page, which also leads back to the search; '' if this instance doesn't read it. */
export function readAddress(context: Reading, address: string, search: Record<string, string | number>): string {
  const { reading, clock } = context.services
  if (!reading || httpAddress(address) === '') return ''
  return addressOf(READ_PATH, { ...search, url: address, s: markOf(context, address, hourOf(clock())) })
}

/** Whether this reader was recently shown the address. */
export function wasShown(context: Reading, address: string, mark: string): boolean {
  if (mark === '') return false
  const hour = hourOf(context.services.clock())
  for (let before = 0; before <= HOURS_BEFORE; before += 1) {
    if (isSameHash(mark, markOf(context, address, hour - before))) return true
  }
  return false
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

const markOf = ({ viewer, services }: Reading, address: string, hour: number): string =>
  services.reading?.mark(`${hour}\n${viewer ? `user ${viewer.userId}` : 'visitor'}\n${address}`) ?? ''
