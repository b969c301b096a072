// Checks the Host header against DNS rebinding: a foreign web page can point its own name at this machine and then
// read, in a visitor's browser, what a public site here answers. Browsers always send the name they used, so unknown
// names are refused. IP addresses and `localhost` can't be rebound, and health checks use them.
import { isIP } from 'node:net'

/** Returns undefined if every name is accepted. */
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

/** Strips the port, the brackets of IPv6 and the trailing dot. */
const nameIn = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
