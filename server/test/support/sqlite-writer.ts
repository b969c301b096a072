// A process that writes to a SQLite database under a changing load, and prints the number of each transaction when it is
// committed: `sqlite-writer.ts <database> <synchronous> <milliseconds between syncs of the log, or 0> <seconds>`.
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const [path = '', synchronous = '', syncEveryMs = '', seconds = ''] = process.argv.slice(2)

// SQLite makes a checkpoint every thousand pages: at the end of a burst at the latest, and seconds after it otherwise.
const BURST = { every: 400, length: 200 }
const PAUSE_MS = 20

const database = new DatabaseSync(path)
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = ${synchronous};
  create table entry (number integer primary key, name text not null unique, content text not null);
  create index entry_content on entry (content);
  create table total (entries integer not null);
  insert into total values (0);
`)
const insert = database.prepare('insert into entry values (?, ?, ?)')
const count = database.prepare('update total set entries = entries + 1')

/** SQLite with `synchronous = normal` syncs its log only before a checkpoint. On another thread this delays no commit. */
async function syncLog(): Promise<void> {
  await using log = await open(`${path}-wal`)
  await log.sync()
}

let syncing = Promise.resolve()
const startSync = (): void => {
  syncing = syncLog()
}
const timer = Number(syncEveryMs) > 0 ? setInterval(startSync, Number(syncEveryMs)) : undefined

const endAt = performance.now() + Number(seconds) * 1_000
for (let number = 1; performance.now() < endAt; number++) {
  database.exec('begin immediate')
  // Pages all over the indices.
  insert.run(number, `${(number * 7_919) % 10_007}-${number}`, String((number * 104_729) % 1_000_003).repeat(20))
  count.run()
  database.exec('commit')
  process.stdout.write(`${number}\n`)
  if (number % BURST.every >= BURST.length) await sleep(PAUSE_MS)
}
clearInterval(timer)
await syncing
database.close()
