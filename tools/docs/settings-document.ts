// Renders docs/reference/settings.md: settings from their schema, slots and data sources from their declarations. Written
// here is the prose between the tables, and what the settings of each data source mean.
import { DOCUMENTS } from '@bowerbird/engines/documents/all.ts'
import { engineFrom } from '@bowerbird/engines/documents/engine-from.ts'
import type { Source } from '@bowerbird/engines/source.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { readConfiguration } from '../../server/src/settings/configuration.ts'
import { SETTING_SCHEMAS } from './setting-schema.ts'

const SHOWN = new Map(readConfiguration({}).shown.map(({ env, shown }) => [env, shown]))

const defaultOf = (name: string): string => {
  const shown = SHOWN.get(name) ?? 'not set'
  return ['', 'not set'].includes(shown) ? 'not set' : `\`${shown}\``
}

const code = (text: string): string => `\`${text}\``

/** A limit that is only there to refuse nonsense. */
const ANY_NUMBER = 1e12

function valuesOf(name: string): string {
  const { range, choices } = SETTING_SCHEMAS.get(name) ?? {}
  if (range) return range.max >= ANY_NUMBER ? `at least ${range.min}` : `${range.min} to ${range.max}`
  return choices?.map(code).join(', ') ?? ''
}

const used = new Set<string>()

/** A table of settings from the schema. */
const table = (...names: string[]): string => {
  const rows = names.map((name) => {
    used.add(name)
    const meaning = SETTING_SCHEMAS.get(name)?.meaning
    if (meaning === undefined) throw new Error(`${name} has no description in the schema of the settings.`)
    return `| ${code(name)} | ${defaultOf(name)} | ${valuesOf(name)} | ${meaning} |`
  })
  return `| name | default | values | meaning |\n|---|---|---|---|\n${rows.join('\n')}`
}

const plainTable = (rows: readonly (readonly [name: string, fallback: string, meaning: string])[]): string =>
  `| name | default | meaning |\n|---|---|---|\n${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`

const SOURCE_MEANINGS: Record<string, string> = {
  NOMINATIM_URL:
    'A [Nominatim](../set-up/places.md) server, for places. If not set but `OPERATOR_CONTACT` is: the public one, `https://nominatim.openstreetmap.org`, at one request per second, under [its policy](https://operations.osmfoundation.org/policies/nominatim/).',
  PHOTON_URL: "A [Photon](../set-up/places.md) server, queried for places if Nominatim fails or isn't configured.",
  LIBRETRANSLATE_URL: 'A LibreTranslate server: [run your own](../set-up/translation.md#libretranslate).',
  LIBRETRANSLATE_API_KEY: 'Its key, if it needs one.',
  APERTIUM_URL:
    "An Apertium server, used if there's no LibreTranslate: [run your own](../set-up/translation.md#apertium).",
  OPENMETEO_URL:
    'Open-Meteo, for weather. The free server is for non-commercial use; paid plans have their own address.',
  OPENMETEO_API_KEY: 'The key for a paid plan.',
  OPENMETEOPLACES_URL:
    "Open-Meteo's geocoder, for weather and clocks in places that the built-in list of cities lacks.",
  OPENMETEOPLACES_API_KEY: 'The key for a paid plan.',
  ECB_URL: 'The European Central Bank, for daily exchange rates.',
  FRANKFURTER_URL: 'Frankfurter, for currencies the ECB lacks, and when the ECB is down; set it if you run your own.',
  WIKIPEDIA_URL:
    'Wikipedia, for cards and suggestions. Set `OPERATOR_CONTACT` too: Wikimedia allows 200 calls per minute with it and 10 without. With the default address, cards use the Wikipedia of the requested language; any other address is used for every language.',
  WIKIDATA_URL: 'Wikidata, for facts on cards.',
  WIKTIONARY_URL: "The English Wiktionary, for definitions. Other editions don't have the API.",
  STACKEXCHANGE_URL: 'Stack Exchange, for programming questions.',
  STACKEXCHANGE_API_KEY:
    'Raises its limit from 300 to 10,000 calls per day; set `STACKEXCHANGE_RATE_LIMIT=10000/day` as well.',
  OPENLIBRARY_URL: 'Open Library, for books.',
}

const sourcesOf = (...groups: Source['group'][]): Source[] =>
  groups.flatMap((group) => ALL_SOURCES.filter((source) => source.group === group))

const sourceTable = (...groups: Source['group'][]): string =>
  plainTable(
    sourcesOf(...groups).flatMap(({ settings }) =>
      Object.values(settings).map(({ env }) => {
        const meaning = SOURCE_MEANINGS[env]
        if (meaning === undefined) throw new Error(`${env} has no meaning in tools/docs/settings-document.ts.`)
        return [code(env), defaultOf(env), meaning] as const
      }),
    ),
  )

const duration = (seconds: number): string => {
  if (seconds === 86_400) return 'a day'
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`
}

const termsRow = ({ slug, group, probe, terms: { rateLimit, rateLimitedHost, attribution } }: Source): string => {
  const limit = rateLimit ? `${rateLimit.calls} in ${duration(rateLimit.perSeconds)}` : ''
  const host = rateLimit && rateLimitedHost ? ` at \`${rateLimitedHost}\`` : ''
  return `| ${code(slug)} | ${group} | ${probe ? 'yes' : 'no'} | ${limit}${host} | ${attribution} |`
}

const slots = [...SHOWN.keys()].filter((name) => /^ENGINE_[A-Z]$/.test(name)).toSorted()

const slotTable = plainTable([
  ...slots.map(
    (name) => [code(name), defaultOf(name), `The providers for the slot \`${name.toLowerCase()}\`.`] as const,
  ),
  ['`ENGINE_D` to `ENGINE_Z`', 'not set', 'More slots.'],
  [
    '`ENGINE_A_WEIGHT`, `ENGINE_B_WEIGHT`, …',
    '`1`',
    "The slot's weight when rankings are merged, 0.01 to 100; only the proportions matter.",
  ],
  [
    '`ENGINE_A_WHEN`, `ENGINE_B_WHEN`, …',
    '`always`',
    '`thin`: the slot is only asked [when the others find too little](../set-up/spend-less.md): fewer than 5 results, or less than 0.2 of the first ten from two independent indexes. `thin:8:0.3` sets both figures; `0` for the second turns it off.',
  ],
])

/** What documents declare besides a key and an address. */
function documentTable(): string {
  const rows = DOCUMENTS.flatMap((document) => {
    const { settings: declared } = engineFrom(document)
    return Object.entries(declared).flatMap(([name, { env, fallback, isSecret }]) => {
      if (['apiKey', 'baseUrl', 'linkUrl'].includes(name)) return []
      const help = document.settings?.[name]?.help ?? (isSecret ? 'its key' : 'whose name it is')
      return [[code(env), fallback ? code(fallback) : 'not set', `${document.name}: ${help}.`] as const]
    })
  })
  return rows.length === 0 ? '' : `Some services of your own have settings besides:\n\n${plainTable(rows)}\n\n`
}

export function makeSettingsDocument(): string {
  const text = document()
  const missing = [...SETTING_SCHEMAS.keys()].filter((name) => !used.has(name))
  if (missing.length > 0) throw new Error(`tools/docs/settings-document.ts has no table for ${missing.join(', ')}.`)
  return text
}

const document = (): string => `# Settings

All settings are environment variables, read once at start. If any is invalid, the instance doesn't start and reports every mistake together.
An empty value counts as not set. Some can also be [kept in the database and changed while it runs](../set-up/settings.md). \`npm run docs\` generates this page from the code.

Settings can also come from files:

| from | how |
|---|---|
| a file of \`NAME=value\` lines | \`.env\` in the working folder, or the file that \`bowerbird --env-file <path> …\` names. Environment variables win |
| a file for each secret, as Docker, Kubernetes and systemd provide them | add \`_FILE\` to any name: \`BRAVE_API_KEY_FILE=/run/secrets/brave\` reads \`BRAVE_API_KEY\` from there. Setting both is a mistake |

[\`bowerbird config\`](commands.md#bowerbird-config) shows what an instance would run with: where data is stored, which engines and data sources are
on or hidden and why, every setting with its value and where it comes from, and every mistake. Secrets are shown only as set or not set.

## The instance

${table(
  'HOST',
  'PORT',
  'PUBLIC_URL',
  'CORS_ORIGINS',
  'ALLOWED_HOSTS',
  'TRUSTED_PROXIES',
  'OPERATOR_CONTACT',
  'INSTANCE_SECRET',
  'MAX_CONNECTIONS',
  'MAX_IN_FLIGHT',
  'KEY_CACHE_MB',
  'DRAIN_SECONDS',
)}

## Storage

${table('DATABASE_URL', 'DATABASE_POOL_SIZE', 'DATA_DIR', 'REDIS_URL', 'REDIS_CACHE_URL', 'REDIS_OPTIONAL')}

How long records are kept. Once an hour, one node deletes what's older, and expired sessions with it:

${table('USAGE_RETENTION_DAYS', 'COST_RETENTION_DAYS', 'TRANSITION_RETENTION_DAYS', 'AUDIT_RETENTION_DAYS')}

### Redis

| form | what |
|---|---|
| \`redis://user:password@host:6379/0\` | one server. User, password, port and database are optional |
| \`redis+sentinel://user:password@host:26379,host:26379/master/0\` | Sentinels, and the name under which they know the master. Their own user and password: \`?sentinel_username=…&sentinel_password=…\` |
| \`redis+cluster://user:password@host:6379,host:6379\` | some servers of a Redis Cluster; the others are found |

With TLS, write \`rediss\` instead of \`redis\`. \`?sslrootcert=ca.pem\` names the file of a private CA (or set Node's own \`NODE_EXTRA_CA_CERTS\`),
\`?sslcert=client.pem&sslkey=client.key\` a client certificate. In a cluster, certificates must have the names or addresses that the servers
announce (\`cluster-announce-hostname\`). Percent-encode special characters in the user name and password.

## Website

${table(
  'INSTANCE_NAME',
  'INSTANCE_LOGO',
  'INSTANCE_ACCENT',
  'INSTANCE_WELCOME',
  'INSTANCE_LINKS',
  'INSTANCE_IMPRINT',
  'INSTANCE_PRIVACY',
  'SITE_ACCESS',
  'VISITOR_BUDGET_SHARE',
  'SITE_SUGGESTIONS',
  'RESULT_ICONS',
  'IMAGE_PROXY_URL',
  'MAP_TILES',
  'URL_KEYS',
  'MCP_OAUTH_CLIENTS',
  'MAX_KEYS_PER_USER',
  'KEY_EXPIRY_DAYS',
  'SESSION_MAX_DAYS',
  'TEMPORARY_PASSWORD_DAYS',
  'REQUIRE_SECOND_FACTOR',
)}

## Signing in

[With an identity provider](../set-up/sign-in.md), a header from your proxy, or without passwords:

${table(
  'PASSWORD_SIGN_IN',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_SCOPES',
  'OIDC_CREATE_USERS',
  'OIDC_ROLE_CLAIM',
  'OIDC_ADMIN_VALUES',
  'OIDC_ALLOWED_VALUES',
  'OIDC_PROXY',
  'OIDC_PROVIDERS',
  'TRUSTED_HEADER',
  'TRUSTED_HEADER_FROM',
  'TRUSTED_HEADER_CREATE_USERS',
)}

## Reading pages

${table('READER', 'READER_PROXY_URL')}

## Logs and metrics

${table('LOG_LEVEL', 'ADMIN_PORT', 'ADMIN_HOST', 'METRICS_PORT', 'METRICS_HOST', 'METRICS_TOKEN', 'TRACE_PROVIDERS')}

## Client limits

${table(
  'API_THROTTLE_BURST',
  'API_THROTTLE_SUSTAINED',
  'API_MONTHLY_CAP',
  'USER_RATE_LIMIT_BURST',
  'USER_RATE_LIMIT_SUSTAINED',
  'USER_MONTHLY_CAP',
)}

### Rates

A rate is a number and a unit: \`60/min\`, \`5000/day\`. Units are \`s\`, \`sec\`, \`second\`, \`m\`, \`min\`, \`minute\`, \`h\`, \`hour\`, \`d\` and \`day\`.
A window is always one unit long. Keys can have [their own limits](commands.md#bowerbird-key-create).

Each key has its own limits, so a user with several keys gets that much several times. The \`USER_\` settings limit a user's keys together; a
request must then pass both. Turning them on or off changes where limits are kept in Redis, so windows start afresh; usage isn't affected. Set
them the same on every node.

## Search

${table('KEYLESS_ENGINES', 'ENGINES_OFF', 'CALIBRATED_WEIGHTS', 'MINE', 'SUGGEST', 'ENGINES_DIR', 'SEARCH_TIMEOUT_MS', 'SEARCH_CACHE_SECONDS', 'UPSTREAM_MAX_BYTES', 'OUTGOING_PROXY', 'QUERY_GUARD')}

Engines are bound to slots, and users choose among slots. Without settings of yours:

${slotTable}

A plain provider name serves every tab that provider supports; \`tab:name\` overrides one tab (\`web\`, \`images\`, \`news\`, \`videos\`, \`science\` or
\`code\`). If a slot has two providers for a tab, both are queried. A provider can serve a given tab in only one slot.

\`\`\`sh
ENGINE_A=kagi
ENGINE_B=mojeek images:pixabay
ENGINE_D=searxng
\`\`\`

## Places, translation, answers and cards

These come from data sources. With none of these settings, instant answers and cards work; places and translation don't.

${table('PROBE_SECONDS', 'INSTANT_DISABLED', 'CARDS_DISABLED', 'TRANSLATE_MAX_CHARACTERS', 'TRANSLATE_TIMEOUT_MS')}

You can turn off each of the sources below by setting its URL to \`off\` (\`OPENMETEO_URL=off\`): it's then neither queried nor checked. Turn
Wikipedia off with \`CARDS_DISABLED\` and \`SUGGEST\` instead, because it also provides suggestions.

**Places and translation.** See [places](../set-up/places.md) and [translation](../set-up/translation.md) for which to choose.

${sourceTable('maps', 'translate')}

**Weather and exchange rates**, for instant answers:

${sourceTable('weather', 'currency')}

**Knowledge**, for [cards](../api/cards.md) and definitions:

${sourceTable('cards')}

For each source: its group in \`status/\`, whether it's health-checked, its upstream rate limit, and the attribution to show:

| source | group | checked | upstream rate limit | attribution |
|---|---|---|---|---|
${sourcesOf('maps', 'translate', 'weather', 'currency', 'cards').map(termsRow).join('\n')}

A checked source gets a health check from one node every \`PROBE_SECONDS\`, even if it isn't used. The settings for
[every provider](#providers), such as \`<NAME>_RATE_LIMIT\` and the caps, work for data sources too: \`NOMINATIM_RATE_LIMIT\`,
\`STACKEXCHANGE_MONTHLY_CALLS\`.

## Providers

Each provider has a URL and possibly a key, in settings named after it. A provider that is bound to a slot but lacks a required setting is
hidden everywhere: it isn't queried, isn't in \`status/\`, and isn't an error. [Search engines](engines.md) lists all of them: what each serves and
needs, how long its responses are kept, its limits and its price.

| name | default | meaning |
|---|---|---|
| \`<NAME>_API_KEY\` | not set | The provider's key, if it needs one. |
| \`<NAME>_URL\` | the provider's own | A different URL. Only URLs you set here may point to private addresses. |
| \`<NAME>_LINK_URL\` | \`<NAME>_URL\` | For a service of your own: the address at which people open it, if that's another one than Bowerbird calls. |
| \`<NAME>_RATE_LIMIT\` | the provider's own | The upstream rate limit: the highest [rate](#rates) at which all nodes together call it, such as \`1/s\`; \`off\` for none. It replaces both the provider's rate limit and its daily quota. |
| \`<NAME>_PRICE_PER_CALL\` | the provider's list price | US dollars per call, such as \`0.005\`. |
| \`<NAME>_MONTHLY_CALLS\` | no cap | Calls per UTC month; after that, the provider isn't queried until the next month. |
| \`<NAME>_MONTHLY_USD\` | no cap | US dollars per UTC month, likewise. |
| \`<NAME>_PROXY\` | \`OUTGOING_PROXY\` | Another [HTTP proxy](../set-up/outgoing-proxy.md) for this provider; \`direct\` for none. |

Write the name in capitals: \`BRAVE_API_KEY\`, \`BRAVE_MONTHLY_USD=20\`. A cap is exact across all nodes, and counts what the month has cost so
far, also if it's set or changed in the middle of it. If PostgreSQL is down, a provider with a cap isn't queried, because the call couldn't be
recorded. Health checks and retries count as calls and stop at the cap too; a check that isn't made doesn't change the provider's status.

A provider with a daily quota isn't called once it's used up: \`Engine-Status\` says \`budget\`, the other engines answer, and
**Administration → Providers** shows when it's back and what to do for more. If a provider rejects calls as too many without a retry time,
Bowerbird pauses it for an hour; LangSearch, which does that for two calls within a second as well, only as after any failure.

We don't know every price: World News and Web IQ take a cap in dollars only together with \`<NAME>_PRICE_PER_CALL\`.

${documentTable()}\`PEERTUBE_URL\` is a PeerTube server, and \`YACY_URL\` a YaCy peer; with \`YACY_RESOURCE\` set to \`global\` instead of \`local\` it asks other peers
too, which takes seconds. \`SEARXNG_URL\` is a SearXNG that has \`json\` in its \`search.formats\`.
`
