// Which names a client may call this instance by. A web page of someone else's can make its own name lead to this machine
// and then read, in a visitor's browser, what a public site here answers (DNS rebinding). A browser always says which
// name it used, so requests for unknown names are turned away. Addresses and `localhost` cannot be made to lead
// elsewhere, and health checks use them.
import { isIP } from 'node:net'

/** Undefined: every name is accepted. */
export function createHostCheck(
  allowedHosts: readonly string[] | undefined,
  publicUrl: string,
): ((host: string) => boolean) | undefined {
  if (allowedHosts === undefined) return undefined
  const names = new Set(allowedHosts)
  if (publicUrl !== '') names.add(new URL(publicUrl).hostname)
  return (host) => {
    const name = nameIn(host)
    return name === 'localhost' || isIP(name) !== 0 || names.has(name)
  }
}

/** Without the port, the brackets of IPv6 and the dot at the end. */
const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
