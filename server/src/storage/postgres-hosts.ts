// Several hosts in DATABASE_URL, written as for libpq: `postgres://user@one:5432,two:5432/name`. A new connection goes
// to whichever of them takes writes, so the instance follows a failover. The driver knows one host only. All hosts are
// asked at once, because one that is frozen must not delay the others.
//
// An old primary may turn read-only without closing its connections. The first write that it refuses gives it away.
import { callbackify } from 'node:util'
import pg from 'pg'

/** None of the hosts takes writes at the moment. */
export class NoWritableHost extends Error {
  constructor(cause: unknown) {
    super('no host in DATABASE_URL takes writes', { cause })
  }
}

const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s
const DEFAULT_PORT = 5432
const ASK_TIMEOUT_MS = 1_500
/** A pool that opens several connections asks once. */
const VALID_MS = 500
const READ_ONLY = '25006'
const MISTAKES = /^(?:28\w{3}|3D000)$/

/** One address for each host. */
export function splitHosts(url: string): string[] {
  const [, beginning, hosts = '', end] = SEVERAL_HOSTS.exec(url) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${beginning}${host}${end}`) : [url]
}

/** The addresses, if this is a URL of PostgreSQL with one host or several. */
export function readDatabaseUrl(text: string): string | undefined {
  const isAddress = (one: string) =>
    URL.canParse(one) && /^postgres(?:ql)?:$/.test(new URL(one).protocol) && new URL(one).hostname !== ''
  return splitHosts(text).every(isAddress) ? text.replace(/\/+$/, '') : undefined
}

/** The driver's client, except that it chooses its host when it connects. */
export function createFailoverClient(addresses: readonly string[]): new () => pg.Client {
  const choose = createHostChoice(addresses)
  return class extends pg.Client {
    override connect(): Promise<pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      const connected = choose().then(({ hostname, port }) => {
        this.host = hostname.replace(/^\[(.+)\]$/, '$1')
        this.port = port === '' ? DEFAULT_PORT : Number(port)
        return super.connect()
      })
      if (!callback) return connected
      callbackify(() => connected)(callback)
      return undefined
    }
  }
}

/**
 * After a write that a read-only host refused, all connections from before it are closed when they come back to the
 * pool: they lead to the same host, and would read what is no longer true.
 */
export function dropReadOnly(pool: pg.Pool): void {
  let generation = 0
  const generationOf = new WeakMap<pg.Client, number>()
  pool.on('connect', (client) => {
    generationOf.set(client, generation)
    client.connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === READ_ONLY && generationOf.get(client) === generation) generation++
    })
  })
  // The pool removes a client that is ending.
  pool.on('release', (_error, client) => void (generationOf.get(client) !== generation && client.end()))
}

function createHostChoice(addresses: readonly string[]): () => Promise<URL> {
  let asked: { at: number; writable: Promise<URL> } | undefined
  return () => {
    if (!asked || performance.now() - asked.at > VALID_MS) {
      const writable = Promise.any(addresses.map(askIfWritable)).catch(explain)
      asked = { at: performance.now(), writable }
    }
    return asked.writable
  }
}

/** A wrong password or name is for the operator to mend; anything else is for time. */
function explain(error: unknown): never {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : []
  const mistake = errors.find((one) => one instanceof Error && 'code' in one && MISTAKES.test(String(one.code)))
  throw mistake ?? new NoWritableHost(error)
}

async function askIfWritable(address: string): Promise<URL> {
  const client = new pg.Client({
    connectionString: address,
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
    application_name: 'bowerbird',
  })
  const lost = new Promise<never>((_resolve, reject) => client.on('error', reject))
  try {
    await Promise.race([client.connect(), lost])
    const { rows } = await Promise.race([client.query('show transaction_read_only'), lost])
    if (rows[0]?.transaction_read_only !== 'off') throw new Error('this host is read-only')
    return new URL(address)
  } finally {
    // Of a host that is frozen, nothing would come back.
    client.connection.stream.destroy()
  }
}
