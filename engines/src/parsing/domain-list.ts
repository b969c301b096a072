// For providers that take either the domains that are wanted or those that are not, and only so many. The host drops what
// they let through all the same.
import type { ResultBounds } from '../engine.ts'

interface DomainList {
  include?: readonly string[]
  exclude?: readonly string[]
}

/** Too many wanted domains are not passed on at all: with a part of them, results of the others would be missing. */
export function domainList({ includeDomains = [], excludeDomains = [] }: ResultBounds, most = Infinity): DomainList {
  if (includeDomains.length > 0) return includeDomains.length > most ? {} : { include: includeDomains }
  return excludeDomains.length > 0 ? { exclude: excludeDomains.slice(0, most) } : {}
}
