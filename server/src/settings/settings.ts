// The schema of all settings except those of slots and providers: valid values, defaults, and messages that say what to
// write instead of a mistake. `configuration.ts` turns the values into the configuration; docs/operate/configure.md has
// a row for each.

import { ALL_ANSWERS } from '@bowerbird/answers/all.ts'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DEFAULT_POLICY } from '../accounts/account-parts.ts'
import { ALL_CARDS } from '../cards/all.ts'
import { ORIGINS_HINT, readOrigins } from '../config/cors-origins.ts'
import type { WrittenSettings } from '../config/environment.ts'
import { type ShownSetting, showSetting } from '../config/setting.ts'
import { choice, integer, onOff, parsed } from '../config/setting-types.ts'
import { MAX_KEYS_PER_USER } from '../keys/keys.ts'
import { parseRate } from '../rate-limit/rate.ts'
import { parseRedisAddress, REDIS_URL_HINT } from '../redis/redis-address.ts'
import { KEYLESS_CHOICES } from '../search/keyless-setting.ts'
import { OPERATION_SETTINGS } from './operation-configuration.ts'

export const RATE_HINT = 'must be a rate such as 60/min or 5000/day (units: s, min, h, day).'
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

const words = (isRight: (word: string) => boolean, message: string) =>
  parsed((text) => (wordsIn(text).every(isRight) ? wordsIn(text) : undefined), message)

const namesOf = (known: readonly string[]) =>
  parsed(
    (text) => {
      const names = wordsIn(text.toLowerCase())
      return names.every((name) => known.includes(name)) ? names : undefined
    },
    `must only contain: ${known.join(', ')}.`,
  )

const SUGGESTERS = ALL_ENGINES.filter(({ suggest }) => suggest).map(({ slug }) => slug)
const suggesters = parsed(
  (text) => {
    const slugs = [...new Set(wordsIn(text.toLowerCase()))]
    const isRight = slugs.every((slug) => slug === 'none' || SUGGESTERS.includes(slug))
    return isRight ? slugs.filter((slug) => slug !== 'none') : undefined
  },
  `must be none, or only contain: ${SUGGESTERS.join(', ')}.`,
)

const SHORTEST_SECRET = 32
const { sessionMaxDays, temporaryPasswordDays, requireSecondFactor } = DEFAULT_POLICY
const monthlyCap = integer(1, 1e12).optional()

export const SETTINGS = z.object({
  HOST: z.string().prefault('127.0.0.1'),
  PORT: integer(0, 65_535).prefault('8080'),
  PUBLIC_URL: webAddress.optional(),
  CORS_ORIGINS: parsed(readOrigins, ORIGINS_HINT).optional(),
  ALLOWED_HOSTS: parsed(
    (text) => words((word) => /^[a-z\d_.-]{1,253}$/.test(word), '').safeParse(text.toLowerCase()).data,
    'must be host names without a port, such as search.example.org.',
  ).optional(),
  TRUSTED_PROXIES: words(
    (word) => ipaddr.isValid(word) || ipaddr.isValidCIDR(word),
    'must be IP addresses or ranges, such as 10.0.0.0/8.',
  ).optional(),

  DATABASE_URL: databaseUrl.optional(),
  DATA_DIR: z.string().prefault('./data'),
  REDIS_URL: redisAddress.optional(),
  REDIS_CACHE_URL: redisAddress.optional(),
  REDIS_OPTIONAL: choice(['true', 'false']).prefault('false'),
  INSTANCE_SECRET: z
    .string()
    .min(
      SHORTEST_SECRET,
      `must be at least ${SHORTEST_SECRET} characters long. To generate one, run: openssl rand -base64 32.`,
    )
    .optional(),

  API_THROTTLE_BURST: rate.prefault('60/min'),
  API_THROTTLE_SUSTAINED: rate.prefault('5000/day'),
  API_MONTHLY_CAP: monthlyCap,
  USER_THROTTLE_BURST: rate.optional(),
  USER_THROTTLE_SUSTAINED: rate.optional(),
  USER_MONTHLY_CAP: monthlyCap,
  MAX_KEYS_PER_USER: integer(1, 1_000_000).prefault(String(MAX_KEYS_PER_USER)),

  KEYLESS: choice(KEYLESS_CHOICES).prefault('foundations'),
  SUGGEST: suggesters.prefault('wikipedia duckduckgo'),
  OPERATOR_CONTACT: z.string().prefault(''),
  SEARCH_TIMEOUT_MS: integer(100, 30_000).prefault('2000'),
  SEARCH_CACHE_SECONDS: integer(0, 86_400).prefault('86400'),
  UPSTREAM_MAX_BYTES: integer(10_000, 50_000_000).prefault('2000000'),
  PROBE_SECONDS: integer(1, 86_400).prefault('60'),
  INSTANT_OFF: namesOf(ALL_ANSWERS.map(({ slug }) => slug)).prefault(''),
  CARDS_OFF: namesOf(ALL_CARDS.map(({ kind }) => kind)).prefault(''),
  TRANSLATE_MAX_CHARACTERS: integer(100, 100_000).prefault('10000'),
  TRANSLATE_TIMEOUT_MS: integer(100, 60_000).prefault('10000'),
  READER: onOff.prefault('on'),
  READ_PROXY_URL: webAddress.optional(),

  SITE_ACCESS: choice(['users', 'public']).prefault('users'),
  SITE_SUGGESTIONS: choice(['accounts', 'all', 'off']).prefault('accounts'),
  RESULT_ICONS: onOff.prefault('off'),
  PICTURE_PROXY_URL: webAddress.optional(),
  DOOR_PATH_KEYS: onOff.prefault('off'),
  SESSION_MAX_DAYS: integer(1, 365).prefault(String(sessionMaxDays)),
  TEMPORARY_PASSWORD_DAYS: integer(1, 90).prefault(String(temporaryPasswordDays)),
  REQUIRE_SECOND_FACTOR: choice(['off', 'admins', 'all']).prefault(requireSecondFactor),

  AUDIT_RETENTION_DAYS: integer(1, 3_650).prefault('365'),

  ...OPERATION_SETTINGS.shape,
})

export type Settings = z.output<typeof SETTINGS>

const SECRETS = new Set(['DATABASE_URL', 'REDIS_URL', 'REDIS_CACHE_URL', 'INSTANCE_SECRET', 'METRICS_TOKEN'])

/** All settings of the schema. */
export const showSettings = (written: WrittenSettings): ShownSetting[] =>
  Object.entries(SETTINGS.shape).map(([env, schema]) => {
    const fallback = schema instanceof z.ZodPrefault ? schema.def.defaultValue : undefined
    return showSetting(written, { env, isSecret: SECRETS.has(env), fallback })
  })
