// A nightly watch on a topic: prints what the news has that it hadn't the last time. For cron:
//
//   0 6 * * * BOWERBIRD_URL=… BOWERBIRD_KEY=… node watch.mjs 'harbour climate' ~/harbour.json | mail -E -s 'New today' me
//
// Prints nothing if there's nothing new, so `mail -E` sends nothing.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { Bowerbird } from '@bowerbird/client'

const [topic = 'climate', file = 'watch.json'] = process.argv.slice(2)
const { BOWERBIRD_URL: url = '', BOWERBIRD_KEY: key = '' } = process.env
const DAYS_KEPT = 60

// It has all night: let it wait for its turn.
const bowerbird = new Bowerbird({ url, key, timeoutMs: 600_000, maxRetries: 5 })

/** When each address was first seen. */
const seen = await readSeen()
const now = Date.now()

for await (const { results, meta } of bowerbird.pages('news', { q: topic, date: 'w' }, { maxPages: 3 })) {
  if (meta.searchStatus === 'partial') console.error('Some engines did not answer; what they have comes tomorrow.')
  for (const { title, url, source } of results) {
    if (!seen.has(url)) console.log(`${title}\n  ${source}\n  ${url}\n`)
    seen.set(url, seen.get(url) ?? now)
  }
}

const kept = [...seen].filter(([, at]) => now - at < DAYS_KEPT * 86_400_000)
// Written beside and moved, so that a crash doesn't leave half a file.
await writeFile(`${file}.new`, JSON.stringify(kept))
await rename(`${file}.new`, file)

/** @returns {Promise<Map<string, number>>} */
async function readSeen() {
  try {
    return new Map(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map()
    throw error
  }
}
