// The faults of a provider. Each kind has been seen at real upstreams. `latencyMs` and `jitterMs` go with every kind:
// the wait comes first, then the fault. A fault stays until it is replaced or cleared.

interface Slowness {
  /** Milliseconds before anything is sent. */
  latencyMs?: number
  /** Up to this many milliseconds more, random for each request. */
  jitterMs?: number
}

export type Fault = Slowness &
  (
    | /** A good reply, late. */ { kind: 'latency'; latencyMs: number }
    | /** This status (200 to 599), with the provider's own error body. */ { kind: 'status'; status: number }
    | /** The provider's own "slow down", with Retry-After (2 s). */ { kind: 'throttled'; retryAfterSeconds?: number }
    | /** 403 and an HTML page, as bot protection sends it. */ { kind: 'blocked' }
    | /** The provider's own refusal of a wrong key. */ { kind: 'badKey' }
    | /** 200 and an HTML page. */ { kind: 'html' }
    | /** 200 and nothing, declared as JSON. */ { kind: 'empty-body' }
    | /** The first half of a good reply, with the length of that half. */ { kind: 'cut-off' }
    | /** Headers and half of a good reply, then the connection ends. */ { kind: 'reset' }
    | /** The connection is reset before a byte is sent. */ { kind: 'refuse' }
    | /** Never answers. */ { kind: 'hang' }
    | /** White space, one byte every 10 ms, without end. */ { kind: 'drip'; intervalMs?: number }
    | /** One valid JSON object of 200 MB, as fast as the reader takes it. */ { kind: 'huge'; bytes?: number }
    | /** A good reply, gzip-encoded whether asked for or not. */ { kind: 'gzip' }
    | /** The body of `huge`, gzip-encoded: about 200 KB that unpack to 200 MB. */ { kind: 'gzip-bomb'; bytes?: number }
    | /**
     * A good reply whose values are of wrong types: by default the members of the outermost object, with
     * `at: 'leaves'` every string, number and boolean inside it.
     */ { kind: 'wrong-shape'; at?: 'envelope' | 'leaves' }
    | /** A valid reply without results. */ { kind: 'no-results' }
    | /** A good reply without any optional member. */ { kind: 'omit-optional' }
    | /** A good reply whose optional members are null. */ { kind: 'nulls' }
    | /**
     * A good reply, unless `calls` were admitted within the last `perMs`: then the provider's own "slow down", and the
     * call is counted as a violation.
     */ { kind: 'banAbove'; calls: number; perMs: number }
  )

export type FaultKind = Fault['kind']
