// Notices when a key is used from a network that it hasn't been used from before, so that its owner can see a leaked key
// in the security events. A key's row holds keyed hashes of the first 20 networks; a program that moves on is not worth
// more rows and events. The first network of a key is no news.
//
// No request waits for this. Networks are written in the background, in batches, and the database decides which of them
// are new, so that several nodes record a network once.
import { sql } from 'kysely'
import { type AuditContext, recordEvent } from '../audit/audit-log.ts'
import { WriteBehind } from '../postgres/write-behind.ts'

interface SeenNetworksParts {
  audit: AuditContext
  /** The same for every address of a network; doesn't reveal which network it is. */
  networkPseudonym: (address: string) => string
}

interface SeenNetwork {
  keyId: string
  network: string
}

const MAX_SEEN = 20
const WRITE_EVERY_MS = 25_000
const ROWS_PER_WRITE = 1_000
const MAX_UNWRITTEN = 200_000

export class SeenNetworks {
  readonly #networkPseudonym: (address: string) => string
  readonly #writer: WriteBehind<SeenNetwork>

  constructor({ audit, networkPseudonym }: SeenNetworksParts) {
    this.#networkPseudonym = networkPseudonym
    this.#writer = new WriteBehind({
      name: 'the networks of keys',
      everyMs: WRITE_EVERY_MS,
      log: audit.log,
      rowsPerWrite: ROWS_PER_WRITE,
      maxRows: MAX_UNWRITTEN,
      write: (rows) => writeNetworks(audit, rows),
    })
  }

  /** `seen` is the cached key's own list, and grows. */
  note(keyId: string, seen: string[], address: string): void {
    if (seen.length >= MAX_SEEN) return
    const network = this.#networkPseudonym(address)
    if (seen.includes(network)) return
    seen.push(network)
    this.#writer.put(`${keyId} ${network}`, { keyId, network })
  }

  start(): void {
    this.#writer.start()
  }

  async stop(): Promise<void> {
    await this.#writer.stop()
  }
}

interface NewNetworks {
  key_id: string
  user_id: string
  /** How many the row had before. */
  known: number
  added: string[]
}

/** Leaves `updated_at` alone: a use is not a change. Locks rows in order of id, as the writer of last uses does. */
async function writeNetworks(audit: AuditContext, rows: readonly SeenNetwork[]): Promise<void> {
  const networksOf = Map.groupBy(rows, ({ keyId }) => keyId)
  const ids = [...networksOf.keys()]
  const lists = [...networksOf.values()].map((seen) => seen.map(({ network }) => network).join(' '))
  await audit.db.transaction().execute(async (transaction) => {
    const { rows: changed } = await sql<NewNetworks>`
      with used as (
        select k.id, k.user_id, k.seen_networks,
          array(select one from unnest(string_to_array(u.networks, ' ')) one where one <> all (k.seen_networks)) as added
        from unnest(${ids}::bigint[], ${lists}::text[]) as u (id, networks)
        join api_keys k on k.id = u.id
        order by k.id
        for no key update of k
      )
      update api_keys set seen_networks = (used.seen_networks || used.added)[1:${MAX_SEEN}]
      from used
      where api_keys.id = used.id and cardinality(used.added) > 0 and cardinality(used.seen_networks) < ${MAX_SEEN}
      returning used.id as key_id, used.user_id, cardinality(used.seen_networks) as known, used.added`.execute(
      transaction,
    )
    for (const { key_id: keyId, user_id: userId, known, added } of changed) {
      const news = added.slice(known === 0 ? 1 : 0, MAX_SEEN - known)
      for (const network of news) {
        const context: AuditContext = { ...audit, db: transaction, actor: { network, via: 'API' } }
        await recordEvent(context, { event: 'key-new-network', userId, keyId })
      }
    }
  })
}
