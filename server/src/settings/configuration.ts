// The whole configuration of an instance, read from the environment and, for some settings that it doesn't set, from the
// database. Everything is validated before anything starts. Any mistake prevents the start, and all mistakes are reported
// together.
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import type { Engine } from '@bowerbird/engines/engine.ts'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DEFAULT_POLICY } from '../accounts/account-parts.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { addStored, type Mistake, readWritten, type WrittenSettings } from '../config/environment.ts'
import {
  choice,
  decimal,
  integer,
  isSecret,
  onOff,
  origins,
  parsed,
  type ShownSetting,
  showSetting,
} from '../config/setting-types.ts'
import { Refusal } from '../errors.ts'
import { MAX_KEYS_PER_USER } from '../keys/keys.ts'
import { findTileFile, type TileFile } from '../maps/map-tiles.ts'
import type { IdentityProvider } from '../oidc/identity-provider.ts'
import { parseRate } from '../rate-limit/rate.ts'
import type { UserLimits } from '../rate-limit/rate-limiter.ts'
import { parseRedisAddress, REDIS_URL_HINT } from '../redis/redis-address.ts'
import { parseCalibratedWeights } from '../search/calibration/calibrated-weights.ts'
import type { ThinRule } from '../search/plan.ts'
import { GUARD_MODES } from '../search/query-guard.ts'
import type { SlotBinding } from '../search/slots.ts'
import { parseOutgoingProxy } from '../upstream/outgoing-proxy.ts'
import { APPEARANCE_SETTINGS, appearanceOf, LONG_SETTINGS } from './appearance.ts'
import { KEYLESS_CHOICES, type KeylessChoice } from './keyless-setting.ts'
import { OPERATION_SETTINGS, operationOf } from './operation-configuration.ts'
import { documentSettingOf, isDocumentSetting, readOwnEngines, readStoredEngines } from './own-engines.ts'
import {
  type ConfiguredEngine,
  type ConfiguredSource,
  type HiddenProvider,
  isCapSetting,
  PROVIDER_SETTINGS,
  PROXY_HINT,
  RATE_HINT,
  readEngines,
  readSources,
  settingsOf,
} from './provider-configuration.ts'
import {
  isNamedProviderSetting,
  readIdentityProviders,
  SIGN_IN_SETTINGS,
  trustedHeaderOf,
} from './sign-in-configuration.ts'
import { isSlotSetting, privateMistakes, readMine, readSlots } from './slot-configuration.ts'

const rate = parsed(parseRate, RATE_HINT)

/** Without a trailing slash. */
const webAddress = parsed((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAddress = (url?.protocol === 'http:' || url?.protocol === 'https:') && url.hostname !== ''
  return isAddress ? text.replace(/\/+$/, '') : undefined
}, 'must be a URL that starts with http:// or https://.')

const databaseUrl = parsed((text) => {
  const url = URL.parse(text)
  const isOneHost = url !== null && url.hostname !== '' && !url.hostname.includes(',')
  return isOneHost && /^postgres(?:ql)?:$/.test(url.protocol) ? text.replace(/\/+$/, '') : undefined
}, 'must be a URL of one host that starts with postgres:// or postgresql://. Of several hosts, only what is in front of ' +
  'them knows which takes writes: name PgBouncer, HAProxy or the endpoint of Patroni.')

const redisAddress = parsed((text) => (parseRedisAddress(text) ? text : undefined), REDIS_URL_HINT)

const wordsIn = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const words = (isValid: (word: string) => boolean, message: string) =>
  parsed((text) => (wordsIn(text).every(isValid) ? wordsIn(text) : undefined), message)

const namesAmong = (known: readonly string[]) =>
  parsed(
    (text) => {
      const names = wordsIn(text.toLowerCase())
      return names.every((name) => known.includes(name)) ? names : undefined
    },
    `must only contain: ${known.join(', ')}.`,
  )

const SUGGESTERS = ALL_ENGINES.filter(({ suggest, isPrivate }) => suggest && !isPrivate).map(({ slug }) => slug)
const PRIVATE_ENGINES = ALL_ENGINES.filter(({ isPrivate }) => isPrivate).map(({ slug }) => slug)
/** Whether each is known is checked with the operator's own engines, which the schema doesn't know. */
const engineNames = z.string().transform((text) => [...new Set(wordsIn(text.toLowerCase()))])
const suggesters = engineNames.transform((slugs) => slugs.filter((slug) => slug !== 'none'))

const MAX_NAME_LENGTH = 40
const instanceName = parsed(
  (text) => (text.length <= MAX_NAME_LENGTH && /^\P{Cc}+$/u.test(text) ? text : undefined),
  `must be one line of at most ${MAX_NAME_LENGTH} characters.`,
)

const CARD_KINDS = ALL_CARDS.map(({ kind }) => kind)
const MIN_SECRET_LENGTH = 32
const { sessionMaxDays, temporaryPasswordDays, requireSecondFactor } = DEFAULT_POLICY
const monthlyCap = integer(1, 1e12).optional()

/**
 * All settings except those of slots and providers: valid values, defaults, messages that say what to write instead of a
 * mistake, and what docs/reference/settings.md, which is generated, says about each.
 */
export const SETTINGS = z.object({
  INSTANCE_NAME: instanceName
    .prefault('Bowerbird')
    .describe(
      'What the website calls itself, at most 40 characters: in its header, in the titles of its pages and, cut to 16, in the list of search engines of a browser.',
    ),
  ...APPEARANCE_SETTINGS.shape,
  HOST: z.string().prefault('127.0.0.1').describe('The address to listen on; `0.0.0.0` for all interfaces.'),
  PORT: integer(0, 65_535).prefault('8080').describe('The port to listen on; `0` for any free one.'),
  PUBLIC_URL: webAddress
    .optional()
    .describe(
      "The URL that clients use, such as `https://search.example.org`, without a path. If not set, it's taken from each request. Set it [behind a proxy](../set-up/https.md).",
    ),
  CORS_ORIGINS: origins
    .optional()
    .describe(
      'The origins of web pages that may call the API from a browser: `https://app.example.org, https://intranet.example.org`, or `*` for any. If not set, browsers let no other origin call it; `openapi.json` is always open. A key in a page is readable by everyone who opens it.',
    ),
  ALLOWED_HOSTS: parsed(
    (text) => words((word) => /^[a-z\d_.-]{1,253}$/.test(word), '').safeParse(text.toLowerCase()).data,
    'must be host names without a port, such as search.example.org.',
  )
    .optional()
    .describe(
      'The host names that clients may use, without ports: `search.example.org bowerbird`. Requests for any other name get 421, which stops DNS rebinding. The host of `PUBLIC_URL`, `localhost` and IP addresses are always allowed. If not set, any name is; a public site logs a warning.',
    ),
  TRUSTED_PROXIES: words(
    (word) => ipaddr.isValid(word) || ipaddr.isValidCIDR(word),
    'must be IP addresses or ranges, such as 10.0.0.0/8.',
  )
    .optional()
    .describe(
      'Addresses or ranges of your proxies (`10.0.0.0/8, 127.0.0.1`). Their `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` headers are trusted.',
    ),

  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL: `postgres://user:password@host:5432/name`, of [one host](../scale/several-nodes.md#postgresql). With TLS, add `?sslmode=verify-full`, and `&sslrootcert=ca.pem` for a private CA. If not set, a built-in database in `DATA_DIR` is used.',
    )
    .meta({ isSecret: true }),
  DATA_DIR: z
    .string()
    .prefault('./data')
    .describe(
      "The folder of the built-in database; not used with `DATABASE_URL`. Only the instance's user may access it. At start, Bowerbird removes access for other users, or refuses to start if the folder holds other files.",
    ),
  REDIS_URL: redisAddress
    .optional()
    .describe(
      'Redis or Valkey, in [one of these forms](#redis). If not set, rate limits, the cache and provider health live in the process: run only one.',
    )
    .meta({ isSecret: true }),
  REDIS_CACHE_URL: redisAddress
    .optional()
    .describe(
      'Another Redis, for cached responses only, in the same forms. It may evict; the one at `REDIS_URL` must not.',
    )
    .meta({ isSecret: true }),
  REDIS_OPTIONAL: onOff
    .prefault('off')
    .describe(
      "`on`: start even if Redis refuses the password, the certificate or a right. A Redis that can't be reached never prevents a start.",
    ),
  INSTANCE_SECRET: z
    .string()
    .min(
      MIN_SECRET_LENGTH,
      `must be at least ${MIN_SECRET_LENGTH} characters long. To generate one, run: openssl rand -base64 32.`,
    )
    .optional()
    .describe(
      `At least ${MIN_SECRET_LENGTH} characters, the same on every node. It signs forms, sessions and image URLs, encrypts second factors and provider keys in the database, and cached results, and hashes networks. If not set, one is generated and kept in the database. To change it, [rotate it](../operate/upgrade-and-backup.md#rotate-it).`,
    )
    .meta({ isSecret: true }),

  API_THROTTLE_BURST: rate
    .prefault('60/min')
    .describe(
      'Short-term limit for each key, and for [each user or visitor](../set-up/website.md#who-may-search) who searches on the website.',
    ),
  API_THROTTLE_SUSTAINED: rate.prefault('5000/day').describe('Daily limit for the same.'),
  API_MONTHLY_CAP: monthlyCap.describe(
    "Searches per key and UTC month; after that, 429 until the next month. With several nodes, a cap may be exceeded by about a second's searches.",
  ),
  USER_RATE_LIMIT_BURST: rate
    .optional()
    .describe("Short-term limit for all of a user's keys together, such as `120/min`."),
  USER_RATE_LIMIT_SUSTAINED: rate.optional().describe('Daily limit for the same, such as `10000/day`.'),
  USER_MONTHLY_CAP: monthlyCap.describe(
    "Searches per UTC month with all of a user's keys together; after that, 429 until the next month.",
  ),
  MAX_KEYS_PER_USER: integer(1, 1_000_000)
    .prefault(String(MAX_KEYS_PER_USER))
    .describe(
      "How many active [API keys](../operate/accounts.md#api-keys) a user can have. Revoked and expired keys don't count.",
    ),
  KEY_EXPIRY_DAYS: integer(1, 3_650)
    .optional()
    .describe(
      'How long a new API key works, unless another time is chosen when it is created. If not set, keys never expire by default.',
    ),

  KEYLESS_ENGINES: choice(KEYLESS_CHOICES)
    .prefault('foundations')
    .describe(
      "Which engines that need no key are bound unless you bind others: `none`; `foundations`, run by foundations, broadcasters and volunteers, or open to everyone by design; or `all`, which adds companies that you have no contract with. If it isn't set, the administrator chooses on the set-up page, and later under **Administration → Instance**; a choice is in force on every node within a second.",
    ),
  ENGINES_OFF: engineNames
    .prefault('')
    .describe(
      "Engines that no slot uses, even if it names them: `wikipedia marginalia`. If it's [kept in the database](../set-up/settings.md), slots that the environment sets aren't affected. `SUGGEST` and cards are separate.",
    ),
  CALIBRATED_WEIGHTS: parsed(
    parseCalibratedWeights,
    'must be words such as web:brave=1.4, or web/de:brave=0.9 for searches in one language, with weights from 0.01 to 100.',
  )
    .prefault('')
    .describe(
      'How much engines count in the merge, by tab: `web:brave=1.4 web:mojeek=0.6`, or `web/de:brave=0.9` for searches in one language. [Calibrating](../set-up/ranking.md) stores it. It replaces the weights of slots, except those that the environment sets while this is kept in the database.',
    ),
  MINE: engineNames
    .prefault('')
    .describe(
      `Your own services, in order, [for signed-in people and keys with the scope \`mine\`](../set-up/your-own-services.md#who-finds-them), any of ${PRIVATE_ENGINES.join(', ')}, or [your own](../set-up/own-engines.md). Nobody else's searches reach them, and their results are never part of the web's.`,
    ),
  SUGGEST: suggesters
    .prefault('wikipedia duckduckgo')
    .describe(`The providers of suggestions, any of ${SUGGESTERS.join(', ')}; \`none\` turns them off.`),
  ENGINES_DIR: z
    .string()
    .optional()
    .describe(
      'A folder with [engines of your own](../set-up/own-engines.md): documents that end in `.json`, read at start. Neither it nor they may be writable by every user.',
    ),
  OPERATOR_CONTACT: z
    .string()
    .prefault('')
    .describe(
      "An email address or web page, sent to providers in the `User-Agent` and shown at `/.well-known/security.txt`, for people who find a flaw of the instance. Wikimedia requires it. If `NOMINATIM_URL` isn't set, it also turns on [places](../set-up/places.md) from OpenStreetMap's public server.",
    ),
  SEARCH_TIMEOUT_MS: integer(100, 30_000)
    .prefault('2000')
    .describe(
      "The deadline for a search. Engines that haven't answered by then are left out. For suggestions it's at most 1500.",
    ),
  SEARCH_CACHE_SECONDS: integer(0, 86_400)
    .prefault('86400')
    .describe(
      "The longest time to cache a response, even if the provider's terms allow more; `0` turns the response cache off.",
    ),
  UPSTREAM_MAX_BYTES: integer(10_000, 50_000_000)
    .prefault('2000000')
    .describe('The largest response to accept from a provider.'),
  OUTGOING_PROXY: parsed(parseOutgoingProxy, PROXY_HINT)
    .optional()
    .describe(
      'An HTTP proxy that [every call to a provider, page or image](../set-up/outgoing-proxy.md) goes through, `http://user:password@proxy.example.org:3128`, or `https://` for TLS to the proxy. It must allow `CONNECT`. `<NAME>_PROXY` overrides it for one provider.',
    )
    .meta({ isSecret: true }),
  PROBE_SECONDS: integer(1, 86_400)
    .prefault('60')
    .describe('How often the providers of places, translation, weather and exchange rates are health-checked.'),
  INSTANT_DISABLED: namesAmong(ALL_ANSWERS.map(({ slug }) => slug))
    .prefault('')
    .describe('[Instant answers](answers.md) to turn off, by `type`: `weather currency`.'),
  CARDS_DISABLED: namesAmong(CARD_KINDS)
    .prefault('')
    .describe(`[Cards](../api/cards.md) to turn off, any of ${CARD_KINDS.join(', ')}: \`stackexchange book\`.`),
  TRANSLATE_MAX_CHARACTERS: integer(100, 100_000)
    .prefault('10000')
    .describe('The longest text to translate. If the backend announces a lower limit, that applies.'),
  TRANSLATE_TIMEOUT_MS: integer(100, 60_000).prefault('10000').describe('The deadline for a translation.'),
  QUERY_GUARD: choice(GUARD_MODES)
    .optional()
    .describe(
      'What happens to a query that [seems to contain a secret](../security/query-guard.md), such as an API key, a private key, an IBAN or a card number: `off`; `warn`, which asks people on the website before it is sent, and tells keys in a header that it was; `redact`, which sends the name of the secret instead; or `refuse`. If not set, `warn` on the website and `off` for keys.',
    ),
  READER: onOff
    .prefault('on')
    .describe(
      '`off`: there is no [`read/`](../api/endpoints.md#reading-a-page), and results on the website have no [Read link](../set-up/website.md#reading-a-result). With `on`, pages are fetched only for keys with the scope `read`, which no key has by default, and for people who follow such a link.',
    ),
  READER_PROXY_URL: webAddress
    .optional()
    .describe(
      'Your own proxy for pages, called as `<READER_PROXY_URL>?url=<page>`. If not set, the server fetches them itself, from public addresses only.',
    ),

  SITE_ACCESS: choice(['users', 'public'])
    .prefault('users')
    .describe('Who can search on the [website](../set-up/website.md): signed-in users, or anyone.'),
  VISITOR_BUDGET_SHARE: decimal(0, 1)
    .prefault('0.1')
    .describe(
      'With `SITE_ACCESS=public`: how much of the [monthly cap](../set-up/engines.md#caps) of a provider all visitors together may spend, from `0` to `1`. The rest is for API keys and signed-in users. Providers without a cap are not affected.',
    ),
  SITE_SUGGESTIONS: choice(['users', 'all', 'off'])
    .prefault('users')
    .describe(
      "Who gets suggestions while typing on the website: signed-in users, everyone (on a public site, visitors too) or no one. Users can turn them off for themselves. What they type [goes to the providers](../security/privacy.md#who-else-sees-what) in `SUGGEST`, from three letters on. The API's `suggest/` isn't affected.",
    ),
  RESULT_ICONS: onOff
    .prefault('off')
    .describe(
      "`on`: the website shows the icons of the sites in results. The server fetches them, so each site in the results can see that someone here found it. `off` shows the site's first letter.",
    ),
  IMAGE_PROXY_URL: webAddress
    .optional()
    .describe(
      'Your own image proxy for the website, called as `<IMAGE_PROXY_URL>?url=<image>`. If not set, the server fetches images itself, [from public addresses only](../set-up/website.md#images).',
    ),
  MAP_TILES: z
    .string()
    .optional()
    .describe(
      'A [map](../set-up/map.md) for the maps tab of the website: the path of a PMTiles file, the same on every node. If not set, `map.pmtiles` in `DATA_DIR`, if it is there. Read at start.',
    ),
  URL_KEYS: onOff
    .prefault('off')
    .describe(
      "`on`: keys with the `address` scope can be used in a URL, `/k/<key>/searxng/search`, for [programs that can't send a header](../connect/README.md#a-key-in-the-url). The instance never logs such a URL, but proxies and the programs themselves may.",
    ),
  MCP_OAUTH_CLIENTS: choice(['any', 'known', 'off'])
    .prefault('any')
    .describe(
      'Which assistants people can [connect by signing in](../connect/README.md#by-signing-in), without copying a key: `any`; `known`, only Claude, ChatGPT and programs on their own computer; or `off`. It needs a `PUBLIC_URL` that starts with `https://`, or is on this machine.',
    ),
  SESSION_MAX_DAYS: integer(1, 365)
    .prefault(String(sessionMaxDays))
    .describe(
      'How long a [session](../operate/accounts.md#sessions) can last after sign-in. An unused one ends earlier.',
    ),
  TEMPORARY_PASSWORD_DAYS: integer(1, 90)
    .prefault(String(temporaryPasswordDays))
    .describe('How long a password generated by an administrator works.'),
  REQUIRE_SECOND_FACTOR: choice(['off', 'admins', 'all'])
    .prefault(requireSecondFactor)
    .describe(
      'Who must have a [second factor](../operate/accounts.md#requiring-a-second-factor): no one, administrators or everyone.',
    ),

  ...SIGN_IN_SETTINGS.shape,

  AUDIT_RETENTION_DAYS: integer(1, 3_650)
    .prefault('365')
    .describe('How long [security events](../operate/accounts.md#security-events) are kept.'),

  ...OPERATION_SETTINGS.shape,
})

type Settings = z.output<typeof SETTINGS>

/** All settings of the schema. */
const showSettings = (written: WrittenSettings): ShownSetting[] =>
  Object.entries(SETTINGS.shape).map(([env, schema]) => {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined
    // What is long is no secret, but isn't listed either.
    return showSetting(written, { env, isSecret: isSecret(schema) || LONG_SETTINGS.has(env), fallback })
  })

/** Off by default: each key has its own limits. */
function userLimitsOf(settings: Settings): UserLimits | undefined {
  const { USER_RATE_LIMIT_BURST: burst, USER_RATE_LIMIT_SUSTAINED: sustained, USER_MONTHLY_CAP: monthlyCap } = settings
  return burst || sustained || monthlyCap !== undefined ? { burst, sustained, monthlyCap } : undefined
}

const configurationOf = (settings: Settings) => ({
  host: settings.HOST,
  port: settings.PORT,
  /** '': use the address that the client used. */
  publicUrl: settings.PUBLIC_URL ?? '',
  /** undefined: no page on another origin may call the API. */
  corsOrigins: settings.CORS_ORIGINS,
  databaseUrl: settings.DATABASE_URL,
  redisUrl: settings.REDIS_URL,
  /** For cached responses; undefined: they are in `redisUrl` too. */
  redisCacheUrl: settings.REDIS_CACHE_URL,
  /** Whether the instance starts even if Redis refuses it. */
  redisOptional: settings.REDIS_OPTIONAL,
  dataFolder: settings.DATA_DIR,
  limits: {
    burst: settings.API_THROTTLE_BURST,
    sustained: settings.API_THROTTLE_SUSTAINED,
    monthlyCap: settings.API_MONTHLY_CAP,
  },
  /** For all keys of a user together; undefined if none is set. */
  userLimits: userLimitsOf(settings),
  trustedProxies: settings.TRUSTED_PROXIES ?? [],
  searchTimeoutMs: settings.SEARCH_TIMEOUT_MS,
  maxReplyBytes: settings.UPSTREAM_MAX_BYTES,
  operatorContact: settings.OPERATOR_CONTACT,
  /** The proxy for all outgoing connections to others; undefined: none. */
  outgoingProxy: settings.OUTGOING_PROXY,
  /** What the website calls itself. */
  instanceName: settings.INSTANCE_NAME,
  /** What else makes it the operator's own. */
  appearance: appearanceOf(settings),
  /** What happens to queries that hold a secret. */
  queryGuard: { site: settings.QUERY_GUARD ?? 'warn', keys: settings.QUERY_GUARD ?? 'off' },
  /** Who may search on the website: signed-in users, or everyone. */
  siteAccess: settings.SITE_ACCESS,
  site: {
    /** How much of a provider's caps visitors may spend together. */
    visitorShare: settings.VISITOR_BUDGET_SHARE,
    /** Who gets suggestions while typing on the website. */
    suggestionsFor: settings.SITE_SUGGESTIONS,
    /** Whether results on the website show site icons, which this server fetches. */
    showsIcons: settings.RESULT_ICONS,
    /** Host names that clients may use, on the website and in the API; undefined: any. */
    allowedHosts: settings.ALLOWED_HOSTS,
    /** Whether keys that allow it may be sent in the URL path. */
    areUrlKeysOn: settings.URL_KEYS,
    /** Which clients people may connect by OAuth. */
    oauthClients: settings.MCP_OAUTH_CLIENTS,
  },
  /** An image proxy that fetches pictures for the website. */
  imageProxyUrl: settings.IMAGE_PROXY_URL,
  /** Whether keys with the read scope can read pages. */
  isReaderOn: settings.READER,
  /** A proxy that fetches the pages to read. */
  readerProxyUrl: settings.READER_PROXY_URL,
  /** undefined: one is generated and kept in the database. */
  instanceSecret: settings.INSTANCE_SECRET,
  accounts: {
    policy: {
      sessionMaxDays: settings.SESSION_MAX_DAYS,
      temporaryPasswordDays: settings.TEMPORARY_PASSWORD_DAYS,
      requireSecondFactor: settings.REQUIRE_SECOND_FACTOR,
      isPasswordSignInOn: settings.PASSWORD_SIGN_IN,
    },
    /** undefined: no header says who someone is. */
    trustedHeader: trustedHeaderOf(settings),
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    maxKeysPerUser: settings.MAX_KEYS_PER_USER,
    /** undefined: new keys don't expire unless their creator says so. */
    defaultKeyDays: settings.KEY_EXPIRY_DAYS,
  },
  operation: operationOf(settings),
  logLevel: settings.LOG_LEVEL,
  /** Caps how long any reply is cached, even if the provider's terms allow more; 0 turns caching off. */
  cacheSeconds: settings.SEARCH_CACHE_SECONDS,
  /** From calibrations. */
  calibratedWeights: settings.CALIBRATED_WEIGHTS,
  /** The private engines, in order. */
  mine: settings.MINE,
  /** The engines that provide suggestions. */
  suggesters: settings.SUGGEST,
  /** The interval between health checks of data sources. */
  probeSeconds: settings.PROBE_SECONDS,
  /** Longest text to translate, in characters. */
  translateMaxCharacters: settings.TRANSLATE_MAX_CHARACTERS,
  translateTimeoutMs: settings.TRANSLATE_TIMEOUT_MS,
  /** Instant answers that are turned off. */
  disabledAnswers: settings.INSTANT_DISABLED,
  /** Kinds of cards that are turned off. */
  disabledCards: settings.CARDS_DISABLED,
})

/** The settings above, and those of slots and providers. */
export interface Configuration extends ReturnType<typeof configurationOf> {
  keyless: KeylessConfiguration
  /** By slot name, in slot order. */
  slots: Map<string, SlotBinding>
  /** Each slot's weight in the merge. */
  weights: Map<string, number>
  /** When each slot is queried, if not always. */
  askConditions: Map<string, ThinRule>
  engines: Map<string, ConfiguredEngine>
  /** Every engine that could be bound: those of the program, and the operator's own. */
  allEngines: readonly Engine[]
  /** The documents in the database, by slug. */
  documents: ReadonlyMap<string, string>
  sources: Map<string, ConfiguredSource>
  /** undefined: the website has no map of its own. */
  mapTiles: TileFile | undefined
  /** Whom people can sign in with. */
  identityProviders: readonly IdentityProvider[]
  /** Whether the environment sets it, and so overrides the database. */
  isFixed: (setting: string) => boolean
  /** What the environment or the database sets, of settings that are no secrets; undefined: its default counts. */
  writtenValue: (setting: string) => string | undefined
  /** The configuration with these settings from the database. */
  withStored: (values: Readonly<Record<string, string>>) => ReadConfiguration
}

/** Which of the keyless engines are bound by default. */
interface KeylessConfiguration {
  current: KeylessChoice
  /** Whether the environment sets KEYLESS_ENGINES, which overrides the choice on the website. */
  isFixed: boolean
}

export interface ReadConfiguration {
  /** The configuration, or every mistake in it. */
  verdict: { ok: true; value: Configuration } | { ok: false; mistakes: readonly Mistake[] }
  /** For the command line: available even with mistakes. */
  dataFolder: string
  publicUrl: string | undefined
  slots: ReadonlyMap<string, SlotBinding>
  mine: readonly string[]
  allEngines: readonly Engine[]
  shown: ShownSetting[]
  hidden: HiddenProvider[]
}

export const isInstanceSetting = (name: string): boolean =>
  name in SETTINGS.shape || isSlotSetting(name) || isDocumentSetting(name) || isNamedProviderSetting(name)
/** Whether the environment may set it. A document there is a file. */
const isSetting = (name: string): boolean =>
  (isInstanceSetting(name) && !isDocumentSetting(name)) || PROVIDER_SETTINGS.has(name)

/** Whether a page may show its value. */
function isPublicSetting(name: string): boolean {
  if (isSlotSetting(name) || isCapSetting(name)) return true
  const schema = Object.entries(SETTINGS.shape).find(([env]) => env === name)?.[1]
  return schema !== undefined && !isSecret(schema)
}

/** `earlier` holds the mistakes found while reading the env file. */
export function readConfiguration(env: NodeJS.ProcessEnv, earlier: readonly Mistake[] = []): ReadConfiguration {
  const folder = readWritten(env, (name) => name === 'ENGINES_DIR').values['ENGINES_DIR']
  const own = readOwnEngines(folder, isInstanceSetting)
  const ownSettings = settingsOf(own.engines)
  const written = readWritten(env, (name) => isSetting(name) || ownSettings.has(name))
  written.mistakes.unshift(...earlier, ...own.mistakes)
  return configure(written, [...ALL_ENGINES, ...own.engines], {})
}

/** `known` are the engines without those whose documents are stored. */
function configure(
  environment: WrittenSettings,
  known: readonly Engine[],
  stored: Readonly<Record<string, string>>,
): ReadConfiguration {
  const written = addStored(environment, stored)
  const { values, mistakes } = written
  const isFixed = (name: string) => environment.values[name] !== undefined
  const storedEngines = readStoredEngines(stored, known, isInstanceSetting)
  mistakes.push(...storedEngines.mistakes)
  const allEngines = [...known, ...storedEngines.engines]
  const settings = SETTINGS.safeParse(values)
  for (const { path, message } of settings.error?.issues ?? []) mistakes.push({ env: String(path[0]), message })
  const documents = new Map(storedEngines.engines.map(({ slug }) => [slug, stored[documentSettingOf(slug)] ?? '']))

  const choice: KeylessConfiguration = {
    current: readAlone('KEYLESS_ENGINES', values) ?? 'foundations',
    isFixed: isFixed('KEYLESS_ENGINES'),
  }
  const bound = bindEngines(written, allEngines, choice.current)
  const sources = readSources(written, values['OPERATOR_CONTACT'] ?? '')
  const identities = readIdentityProviders(written)
  const mapTiles = readMapTiles(written)
  const shown = [
    ...bound.shownSlots,
    ...storedEngines.engines.map(({ slug }) => shownDocument(slug)),
    ...bound.engines.shown,
    ...sources.shown,
    ...showSettings(written),
    ...identities.shown,
  ]
  const read = {
    dataFolder: dataFolderOf(values),
    publicUrl: readAlone('PUBLIC_URL', values),
    slots: bound.slots,
    mine: bound.mine,
    allEngines,
    // An engine and a data source of the same provider share settings.
    shown: [...new Map(shown.map((setting) => [setting.env, setting])).values()],
    hidden: [...bound.engines.hidden, ...sources.hidden],
  }
  if (!settings.success || mistakes.length > 0) return { ...read, verdict: { ok: false, mistakes } }
  const value: Configuration = {
    ...configurationOf(settings.data),
    keyless: choice,
    slots: bound.slots,
    weights: bound.weights,
    askConditions: bound.askConditions,
    engines: bound.engines.providers,
    allEngines,
    documents,
    sources: sources.providers,
    mapTiles,
    identityProviders: identities.providers,
    isFixed,
    writtenValue: (name) => (isPublicSetting(name) ? values[name] : undefined),
    withStored: (newer) => configure(environment, known, newer),
  }
  return { ...read, verdict: { ok: true, value } }
}

/** One setting's valid value; undefined if it has a mistake, which the whole schema reports. */
const readAlone = <Name extends keyof Settings>(
  name: Name,
  values: WrittenSettings['values'],
): Settings[Name] | undefined =>
  // The shape's schema of a name makes the value of that name.
  SETTINGS.shape[name].safeParse(values[name]).data as Settings[Name] | undefined

/**
 * Binds engines to slots, to Mine and to suggestions, and reads the settings of those that are bound. What has a mistake
 * is left out, so that the rest is checked as well.
 */
function bindEngines(written: WrittenSettings, allEngines: readonly Engine[], keyless: KeylessChoice) {
  const { values } = written
  const off = readAlone('ENGINES_OFF', values) ?? []
  const { slots, weights, askConditions, shown: shownSlots } = readSlots(written, { keyless, off }, allEngines)
  const mine = readMine(written, readAlone('MINE', values) ?? [], allEngines)
  const suggesting = readSuggesters(written, readAlone('SUGGEST', values) ?? [], allEngines)
  const boundSlugs = new Set([...mine, ...[...slots.values()].flatMap((slot) => Object.values(slot).flat())])
  const isUsed = (engine: Engine) => boundSlugs.has(engine.slug) || suggesting.includes(engine)
  const engines = readEngines(written, allEngines.filter(isUsed))
  return { slots, weights, askConditions, shownSlots, mine, engines }
}

function readSuggesters(written: WrittenSettings, slugs: readonly string[], engines: readonly Engine[]): Engine[] {
  const known = engines.filter(({ suggest }) => suggest)
  const named = known.filter(({ slug }) => slugs.includes(slug))
  const message = `must be none, or only contain: ${known.map(({ slug }) => slug).join(', ')}.`
  if (named.length < slugs.length) written.mistakes.push({ env: 'SUGGEST', message })
  written.mistakes.push(...privateMistakes('SUGGEST', named))
  return named
}

const dataFolderOf = (values: WrittenSettings['values']): string => values['DATA_DIR'] ?? './data'

function readMapTiles({ values, mistakes }: WrittenSettings): TileFile | undefined {
  const found = findTileFile(values['MAP_TILES'], dataFolderOf(values))
  if (found && 'problem' in found) mistakes.push({ env: 'MAP_TILES', message: found.problem })
  return found && 'file' in found ? found.file : undefined
}

const shownDocument = (slug: string): ShownSetting => ({
  env: documentSettingOf(slug),
  shown: 'set',
  origin: 'database',
})

/** Returns the configuration, or throws a refusal that names every mistake. `advice` follows them. */
export function requireConfiguration({ verdict }: Pick<ReadConfiguration, 'verdict'>, advice = ''): Configuration {
  if (verdict.ok) return verdict.value
  const list = verdict.mistakes.map(({ env, message }) => `  ${env} ${message}`).join('\n')
  throw new Refusal('parameter_invalid', `The configuration has mistakes:\n${list}${advice && `\n${advice}`}`)
}
