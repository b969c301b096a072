// A keyed hash of a network. It shows that two events come from the same network, but not which one, unless you have the
// secret of the instance.
import { createKeyedHash } from '../text/keyed-hash.ts'
import { toNetwork } from './sign-in-limits.ts'

const MARK_BYTES = 6

export function createNetworkMark(instanceSecret: string): (address: string) => string {
  const hash = createKeyedHash(instanceSecret, 'networks of events')
  return (address) => Buffer.from(hash(toNetwork(address)), 'base64url').toString('hex', 0, MARK_BYTES)
}
