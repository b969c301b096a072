// `npm run check`: no retired name comes back. Where the field has a word for a thing, code and documents use it; each
// row is a private name of old, as a pattern, and what to say instead. A name that goes out of use later gets a row.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface RetiredWord {
  pattern: RegExp
  instead: string
}

const RETIRED: readonly RetiredWord[] = [
  { pattern: /\b(?:engine|source|site)[-_ ]room\b|\b\w*(?:Engine|Source|Site)Room\b/, instead: 'compose/providers' },
  { pattern: /\bdata-services\b/, instead: 'compose-data' },
  { pattern: /\bmeter-with-twin\b|\bMeterWithTwin\b|\bcreate(?:Memory|Redis)?Meter\b/, instead: 'rate limiter' },
  { pattern: /\btwins?\b/, instead: 'local fallback' },
  { pattern: /\bSpend(?:Request|Verdict)\b|\.spend\(|\bspend-script\b/, instead: 'consume' },
  { pattern: /\bweigh(?:Limits|Script)?\(/, instead: 'peek' },
  {
    pattern: /\b(?:page-flights|memory-pages|text-ring|shared-pages)\b/,
    instead: 'single flight, memory store, Redis store',
  },
  { pattern: /\b(?:PageFlights|MemoryPages|TextRing|SharedPages|KeptPage)\b/, instead: 'SingleFlight, MemoryStore, …' },
  { pattern: /\b(?:takeOff|askAlone|landShared|mustFollow)\b/, instead: 'start, fetchUncached, settle, mustWait' },
  {
    pattern: /\b(?:redis-wire|wire-connection|redis-link|RedisWire|RedisLink|WireConnection)\b/,
    instead: 'Redis client',
  },
  {
    pattern: /\b(?:pace-book|wait-for-turn|PaceBook|waitForTurn|provider-pace)\b/,
    instead: 'upstream rate limit, acquire',
  },
  { pattern: /\bpaced?\b/, instead: 'upstream rate limit' },
  {
    pattern: /\b(?:protect-provider|protectProvider|gathered-bytes|GatheredBytes)\b/,
    instead: 'resilience, body buffer',
  },
  { pattern: /\bVisit\b|\bopenVisit\b|\berrands?\b|\bErrand\b/, instead: 'page context, quota' },
  { pattern: /\b(?:readAsked|beside-results|besideResults)\b/, instead: 'parseSearchQuery, answer box' },
  { pattern: /\b(?:sent-before|rendered-before|kept-cards|keptCards|madeOf)\b/, instead: 'page cache, cache key' },
  {
    pattern: /\b(?:warm-keys|WarmKeys|find-secret|findSecret|hold-user|holdUser)\b/,
    instead: 'key cache, key lookup, lock user',
  },
  { pattern: /\bwarm keys?\b/, instead: 'cached key' },
  { pattern: /\b(?:createSeal|seal\.ts)\b/, instead: 'encrypt' },
  { pattern: /\bsite\/words\b/, instead: 'site/i18n' },
  {
    pattern: /\b(?:Told|Kept|Sighting|Vote|Ballot)\b(?=[<;,)\]}]| =| \{)/,
    instead: 'name the thing: source result, cache entry, …',
  },
  { pattern: /(?<![.'])\b[Dd]oors?\b|\bDoor[A-Z]|\b\w+Doors?\b/, instead: 'compatible API' },
  { pattern: /\b(?:calm-redis|calm-postgres|never-lied-about|nothing-lost)\b/, instead: 'redis-outage, …' },
]

/** Words of these files are queries, names of the world or the layout of a foreign document, and the list itself. */
const EXEMPT =
  /^(?:tools\/check-words\.ts|answers\/|server\/src\/site\/i18n\/|engines\/src\/.*\.test\.ts|sandbox\/src\/|.*\/fixtures\/|docs\/answers\.md)/

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => /\.(?:ts|md|js|css|yml|json)$/.test(file) && file !== 'package-lock.json' && !EXEMPT.test(file))

const findings = files.flatMap((file) => [...wordsIn(file, [file]), ...wordsIn(file, linesOf(file))])

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    // It is in the index and no longer in the folder.
    return []
  }
}

function wordsIn(file: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, at) =>
    RETIRED.flatMap(({ pattern, instead }) => {
      const word = pattern.exec(line)?.[0]
      return word === undefined ? [] : [`${file}:${at + 1}: "${word}"; say ${instead}`]
    }),
  )
}

for (const finding of findings) process.stdout.write(`${finding}\n`)
process.exitCode = findings.length === 0 ? 0 : 1
