// The schema of all settings except those of slots and providers: valid values, defaults, messages that say what to write
// instead of a mistake, and what docs/reference/settings.md, which is generated, says about each.
import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DEFAULT_POLICY } from '../accounts/account-parts.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { choice, decimal, integer, onOff, origins, parsed } from '../config/setting-types.ts'
import { MAX_KEYS_PER_USER } from '../keys/keys.ts'
import { parseRate } from '../rate-limit/rate.ts'
import { parseRedisAddress, REDIS_URL_HINT } from '../redis/redis-address.ts'
import { parseCalibratedWeights } from '../search/calibration/calibrated-weights.ts'
import { GUARD_MODES } from '../search/query-guard.ts'
import { parseOutgoingProxy } from '../upstream/outgoing-proxy.ts'
import { APPEARANCE_SETTINGS } from './appearance.ts'
import { KEYLESS_CHOICES } from './keyless-setting.ts'
import { OPERATION_SETTINGS } from './operation-configuration.ts'
import { PROXY_HINT, RATE_HINT } from './provider-configuration.ts'
import { SIGN_IN_SETTINGS } from './sign-in-configuration.ts'

const rate = parsed(parseRate, RATE_HINT)

/** Removes trailing slashes. */
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

const splitWords = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

const words = (isValid: (word: string) => boolean, message: string, { inLowerCase = false } = {}) =>
  parsed((text) => {
    const found = splitWords(inLowerCase ? text.toLowerCase() : text)
    return found.every(isValid) ? found : undefined
  }, message)

const namesAmong = (known: readonly string[]) =>
  words((name) => known.includes(name), `must only contain: ${known.join(', ')}.`, { inLowerCase: true })

const SUGGESTERS = ALL_ENGINES.filter(({ suggest, isPrivate }) => suggest && !isPrivate).map(({ slug }) => slug)
const PRIVATE_ENGINES = ALL_ENGINES.filter(({ isPrivate }) => isPrivate).map(({ slug }) => slug)
/**
 * Unknown names are reported by `readSlots`, `readMine` and `readSuggesters`: the schema doesn't know the operator's own
 * engines.
 */
const engineNames = z.string().transform((text) => [...new Set(splitWords(text.toLowerCase()))])
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

export const INSTANCE_SETTINGS = z.object({
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
  ALLOWED_HOSTS: words(
    (word) => /^[a-z\d_.-]{1,253}$/.test(word),
    'must be host names without a port, such as search.example.org.',
    { inLowerCase: true },
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

export type InstanceSettings = z.output<typeof INSTANCE_SETTINGS>
