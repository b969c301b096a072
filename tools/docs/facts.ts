// Facts that several documents repeat: how many engines there are, defaults, limits, measured figures. A document marks
// each place, and `npm run docs` fills it in from here:
//
//   Bowerbird has <!-- fact: engines -->62<!-- /fact --> engines.
//   Sessions end after <!-- fact: SESSION_MAX_DAYS -->90<!-- /fact --> days, at most <!-- fact: SESSION_MAX_DAYS max -->365<!-- /fact -->.
//
// Every setting is a fact by its name: its default; with ` min` and ` max`, its range. Comments aren't read inside code
// blocks, so a fact can't be in one. A limit that no setting changes is read where the source declares it.
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { SESSION_MS } from '../../server/src/accounts/sessions.ts'
import { programsFor } from '../../server/src/site/docs/program-lines.ts'
import { LANGUAGES } from '../../server/src/site/i18n/messages.ts'
import { SETTING_SCHEMAS } from './setting-schema.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

/** What no code knows, because it was measured: bench/weight.ts prints these, of a build, with malloc set as in the image. */
const MEASURED = {
  'memory idle': '145 MB',
  'memory first start': '152 MB',
}

const isKeyless = ({ settings }: Engine): boolean =>
  Object.values(settings).every(({ fallback }) => fallback !== undefined)

const keyless = ALL_ENGINES.filter(isKeyless)
const hasTabs = ({ tabs }: Engine): boolean => Object.keys(tabs).length > 0

/** What people run themselves: a preset for it is no engine until they set its address. */
const needsAddress = ({ settings }: Engine): boolean => settings.baseUrl.fallback === undefined

/** The tiers of one vendor, with and without a key, count once. An engine that only completes words finds nothing. */
const isPublic = (engine: Engine): boolean => !needsAddress(engine) && hasTabs(engine)

/** A number that a source file declares as a constant: `const MAX_BYTES = 2_000_000`, `const MS = 10 * 60_000`. */
function constant(file: string, name: string): number {
  const [, product] = new RegExp(`^(?:export )?const ${name} = ([\\d_* ]+)$`, 'm').exec(read(file)) ?? []
  if (product === undefined) throw new Error(`${file} has no constant ${name}.`)
  return product.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1)
}

const grouped = (value: number): string => value.toLocaleString('en')
const megabytes = (bytes: number): string => `${bytes / 1_000_000} MB`

/** A line of the table is an address and its triggers, separated by tabs. */
const bangs =
  brotliDecompressSync(readFileSync(resolve(ROOT, 'server/src/site/search/bangs.txt.br')))
    .toString()
    .split('\t').length - 1

const ACCOUNTS = 'server/src/accounts'
const PAGE_FETCH = 'server/src/upstream/page-fetch.ts'
const HTTP = 'server/src/http/http-server.ts'

const COUNTED: Record<string, string> = {
  engines: grouped(ALL_ENGINES.length),
  'keyless engines': grouped(keyless.length),
  'keyless engines with results': grouped(keyless.filter(hasTabs).length),
  'public services': grouped(new Set(ALL_ENGINES.filter(isPublic).map(({ slug, tierOf }) => tierOf ?? slug)).size),
  'own programs': grouped(ALL_ENGINES.filter(needsAddress).length),
  'data sources': grouped(ALL_SOURCES.length),
  answers: grouped(ALL_ANSWERS.length),
  bangs: grouped(bangs),
  programs: grouped(programsFor('https://host', true).length),
  'programs without keys in the URL': grouped(programsFor('https://host', false).length),
  languages: grouped(LANGUAGES.length),

  'session idle days': grouped(SESSION_MS / 86_400_000),
  'session cookie days': grouped(
    constant('server/src/site/accounts/login-pages.ts', 'SESSION_COOKIE_SECONDS') / 86_400,
  ),
  'preferences cookie days': grouped(
    constant('server/src/site/http/page-context.ts', 'PREFERENCES_LIFE_SECONDS') / 86_400,
  ),
  'sites cookie days': grouped(constant('server/src/site/own-rules.ts', 'RULES_LIFE_SECONDS') / 86_400),
  'device cookie days': grouped(constant('server/src/site/accounts/login-pages.ts', 'DEVICE_COOKIE_SECONDS') / 86_400),
  'activity cookie days': grouped(
    constant('server/src/site/accounts/security-event-pages.ts', 'ACTIVITY_COOKIE_SECONDS') / 86_400,
  ),
  'invitation days': grouped(constant(`${ACCOUNTS}/invitations.ts`, 'INVITATION_DAYS')),
  'sign-in ticket minutes': grouped(constant('server/src/site/accounts/login-pages.ts', 'TICKET_SECONDS') / 60),
  'sessions per user': grouped(constant(`${ACCOUNTS}/sessions.ts`, 'MAX_SESSIONS_PER_USER')),
  'new secrets per hour': grouped(constant('server/src/keys/keys.ts', 'MAX_NEW_SECRETS_PER_HOUR')),
  'secrets per key': grouped(constant('server/src/keys/keys.ts', 'MAX_LIVING_SECRETS')),
  'feeds per user': grouped(constant(`${ACCOUNTS}/feeds.ts`, 'MAX_FEEDS')),
  'searches of a feed per hour': grouped(constant(`${ACCOUNTS}/feeds.ts`, 'SEARCHES_PER_LIFE')),
  'shortest password': grouped(constant(`${ACCOUNTS}/passwords.ts`, 'MIN_PASSWORD_LENGTH')),
  'longest password': grouped(constant(`${ACCOUNTS}/passwords.ts`, 'MAX_PASSWORD_LENGTH')),
  'common passwords': grouped(statSync(resolve(ROOT, ACCOUNTS, 'data/common-passwords.bin')).size / 4),
  'passkeys per user': grouped(constant(`${ACCOUNTS}/second-factor-settings.ts`, 'MAX_PASSKEYS')),
  'recovery codes': grouped(constant(`${ACCOUNTS}/second-factor.ts`, 'RECOVERY_CODE_COUNT')),
  'query length': grouped(constant('server/src/search/read-filters.ts', 'MAX_QUERY_LENGTH')),
  'page size': megabytes(constant(PAGE_FETCH, 'MAX_BYTES')),
  'PDF size': megabytes(constant(PAGE_FETCH, 'MAX_PDF_BYTES')),
  'page links': grouped(constant('reader/src/extracted-page.ts', 'MAX_LINKS')),
  'page text': grouped(constant('reader/src/extracted-page.ts', 'MAX_CONTENT_LENGTH')),
  'body size': `${constant(HTTP, 'BODY_LIMIT_BYTES') / 1024} KB`,
  'seconds for headers': grouped(constant(HTTP, 'HEADERS_TIMEOUT_MS') / 1000),
  'seconds for a request': grouped(constant(HTTP, 'REQUEST_TIMEOUT_MS') / 1000),
}

const isNumber = (text: string): boolean => /^\d+$/.test(text)

const SET: Record<string, string> = Object.fromEntries(
  [...SETTING_SCHEMAS.values()].flatMap(({ name, fallback, range }) => [
    [
      name,
      fallback === undefined || fallback === '' ? 'not set' : isNumber(fallback) ? grouped(Number(fallback)) : fallback,
    ],
    ...(range
      ? [
          [`${name} min`, grouped(range.min)],
          [`${name} max`, grouped(range.max)],
        ]
      : []),
  ]),
)

const FACTS: Record<string, string> = { ...MEASURED, ...COUNTED, ...SET }

const FACT = /<!-- fact: ([^>]+) -->[^<\n]*<!-- \/fact -->/g

/** The document with every fact filled in. Throws if it names one that doesn't exist, or marks one with half a pair. */
export function withFacts(path: string, document: string): string {
  if (/<!-- \/?fact/.test(document.replaceAll(FACT, '')))
    throw new Error(`${path} has half a pair of comments around a fact.`)
  return document.replaceAll(FACT, (_marked, name: string) => {
    const fact = FACTS[name]
    if (fact === undefined) throw new Error(`${path}: there is no fact "${name}" in tools/docs/facts.ts.`)
    return `<!-- fact: ${name} -->${fact}<!-- /fact -->`
  })
}
