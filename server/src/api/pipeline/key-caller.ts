// The caller behind a key: of the API, a stream, a tool or a compatible API.
//
// A key has its own rules and the instance's. Those of its owner are for the owner's searches on the website: a program must
// not change what it finds because a person has clicked somewhere.
import { READ_ANY_SCOPE, READ_SCOPE } from '../../keys/scopes.ts'
import type { VerifiedKey } from '../../keys/verify-key.ts'
import type { RuleBook } from '../../rules/site-rules.ts'
import { Caller } from '../../search/caller.ts'
import { type GuardMode, type GuardReport, guardHeader } from '../../search/query-guard.ts'
import type { PageReading } from '../page-reading.ts'

/** What holds for every key. */
export interface KeyCallerParts {
  /** What the instance and the key want of some sites. */
  rules: Pick<RuleBook, 'inForce'>
  /** undefined: this instance reads no pages. */
  reader: PageReading | undefined
  /** QUERY_GUARD, for keys. */
  queryGuard: GuardMode
}

interface KeyRequest {
  isRelayed?: boolean
  setHeader: (name: string, value: string) => void
  /** For a client that shows a text and no headers. */
  onSecret?: (report: GuardReport) => void
}

export function createKeyCaller(
  { keyId, scopes }: VerifiedKey,
  { rules, reader, queryGuard }: KeyCallerParts,
  { isRelayed = false, setHeader, onSecret }: KeyRequest,
): Caller {
  const readsOnlyFound = scopes.has(READ_SCOPE) && !scopes.has(READ_ANY_SCOPE)
  return new Caller({
    isRelayed,
    queryGuard,
    onSecret(report) {
      setHeader('Query-Guard', guardHeader(report))
      onSecret?.(report)
    },
    onFound: reader && readsOnlyFound ? (urls) => reader.found.remember(keyId, urls) : undefined,
    findRules: () => rules.inForce({ keyId }),
  })
}
