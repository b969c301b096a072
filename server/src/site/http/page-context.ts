// Creates the context of a page from a request: the user, language and preferences, and functions that set cookies.
//
// Cookies are HttpOnly, SameSite=Lax, for the whole site. On https they are Secure, and their names have the prefix
// `__Host-`, so that no related host, such as another subdomain, can set them.
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHeaderSession } from '../../accounts/sign-in-elsewhere.ts'
import { toNetwork } from '../../accounts/sign-in-limits.ts'
import type { HeldMemory } from '../../rate-limit/reply-memory.ts'
import { publicAddress } from '../../text/public-address.ts'
import { RULES_COOKIE, readBrowserRules } from '../browser-rules.ts'
import { languageOf, localeFor, wordsIn } from '../i18n/messages.ts'
import { exportPreferences, type Preferences, preferencesOf } from '../preferences.ts'
import type { FrameParts, PeopleParts, Site } from '../site.ts'
import type { Csrf } from './csrf.ts'
import type { CookieLife, PageContext, Viewer } from './page.ts'
import { createMember, createVisitor } from './page-caller.ts'

/** The session of a signed-in user. */
const SESSION_COOKIE = 'bowerbird_session'
/** A random value for everyone else, set with the first form; the form's token is bound to it. */
const VISITOR_COOKIE = 'bowerbird_visitor'
const PREFERENCES_COOKIE = 'bowerbird_preferences'

const PREFERENCES_LIFE_SECONDS = 400 * 24 * 3600

export const cookieName = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

/** For a client to take a large reply: 8 MB at half a megabit a second. */
const SENT_WITHIN_MS = 120_000

/** What all requests share. */
export interface SiteFrame extends FrameParts {
  /** It changes with the settings: a request takes that of when it begins. */
  site: () => Site
  /** The OpenAPI document of this instance's API. */
  openapi: () => object
  csrf: Csrf
  /** Whether this instance has a page at a path, so that no link leads to a missing page. */
  hasPage: (path: string) => boolean
  /** How many providers are down, as far as known; for the dot in the footer. */
  providersDown: () => number | undefined
}

/** A request and its reply. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

type Cookies = Pick<PageContext, 'cookie' | 'setCookie' | 'clearCookie'>

const VISITOR = /^[\w-]{24}$/
const VISITOR_BYTES = 18
/** Session tokens are much shorter; a longer cookie is not looked up. */
const MAX_TOKEN_LENGTH = 512

export async function createPageContext(
  frame: SiteFrame,
  site: Site,
  { request, reply, findSession }: Exchange & Pick<PeopleParts, 'findSession'>,
): Promise<PageContext> {
  const { people, limits, rules, clock, log } = frame
  const { instanceName, appearance, isPublic, offers } = site
  const baseUrl = publicAddress(request, frame.publicUrl)
  const isSecure = baseUrl.startsWith('https://')
  const cookies = openCookies({ request, reply }, isSecure)
  const sessionCookie = cookieName(SESSION_COOKIE, isSecure)
  const token = cookies.cookie(sessionCookie) ?? ''
  const found = token !== '' && token.length <= MAX_TOKEN_LENGTH ? await findSession(token) : undefined
  const viewer = found && isVouchedFor(found, people, request) ? found : undefined
  const preferencesCookie = cookieName(PREFERENCES_COOKIE, isSecure)
  const inBrowser = cookies.cookie(preferencesCookie)
  const preferences = preferencesOf(viewer?.preferences ?? inBrowser)
  if (viewer?.preferences === null && inBrowser !== undefined) await takeOver(preferences, viewer, frame)
  const rulesCookie = cookieName(RULES_COOKIE, isSecure)
  const locale = localeFor(request.headers['accept-language'], preferences.interfaceLocale)
  // A page may have several tokens; they all belong to the same browser.
  const visitor = visitorCookie(cookies, cookieName(VISITOR_COOKIE, isSecure), frame.randomBytes)
  const browser = () => (viewer ? token : visitor.existing() || visitor.create())
  return {
    viewer,
    preferences,
    language: languageOf(locale),
    locale,
    words: wordsIn(locale),
    get csrf() {
      return frame.csrf.tokenFor(browser())
    },
    isForged: (sent) => !frame.csrf.isValid(sent, viewer ? token : visitor.existing()),
    hasPage: frame.hasPage,
    openapi: frame.openapi,
    providersDown: frame.providersDown(),
    baseUrl,
    path: request.url.split('?', 1)[0] ?? '/',
    address: request.url,
    // Fastify decodes the path parameters and provides them as strings.
    params: (request.params ?? {}) as Record<string, string>,
    query: undefined,
    form: { ok: true, values: {} },
    submitted: {},
    ip: request.ip,
    get searcher() {
      return viewer ? `user ${viewer.userId}` : `network ${limits.networkPseudonym(toNetwork(request.ip))}`
    },
    trustedName: people.trustedHeader?.usernameIn(request.raw),
    userAgent: request.headers['user-agent'] ?? '',
    range: request.headers.range,
    ifNoneMatch: request.headers['if-none-match'],
    isOwnNavigation: isOwnNavigation(request, baseUrl),
    holdMemory: (bytes) => holdUntilSent(reply, limits.replyMemory.hold(request.ip), bytes),
    clock,
    log,
    instanceName,
    appearance,
    isPublic,
    offers,
    caller: viewer
      ? createMember(rules, viewer.userId)
      : createVisitor(rules, { isPublic, readRules: () => readBrowserRules(cookies.cookie(rulesCookie)) }),
    ...cookies,
    startSession: (token, life) => cookies.setCookie(sessionCookie, token, life),
    endSession() {
      cookies.clearCookie(sessionCookie)
      // Not "cookies": preferences from before signing in belong to the browser and stay. Browsers honour this over https only.
      if (isSecure) reply.header('Clear-Site-Data', '"cache", "storage"')
    },
    async setPreferences(preferences) {
      const written = exportPreferences(preferences)
      if (viewer?.preferences === undefined)
        cookies.setCookie(preferencesCookie, written, { maxAgeSeconds: PREFERENCES_LIFE_SECONDS })
      else if (written !== viewer.preferences) await people.savePreferences(viewer.userId, written)
    },
  }
}

function holdUntilSent({ raw }: FastifyReply, memory: HeldMemory, bytes: number): void {
  memory.grow(bytes)
  const tooLate = setTimeout(() => raw.destroy(), SENT_WITHIN_MS).unref()
  const release = () => {
    clearTimeout(tooLate)
    memory.release()
  }
  if (raw.closed) release()
  else raw.once('close', release)
}

/** Somebody who has chosen preferences before signing in has them on every device from now on. */
async function takeOver(preferences: Preferences, { userId }: Viewer, { people, log }: FrameParts): Promise<void> {
  try {
    await people.savePreferences(userId, exportPreferences(preferences), { isFirst: true })
  } catch (error) {
    log.warn({ err: new Error('could not save preferences', { cause: error }) })
  }
}

/** A session that a trusted header has started is worth nothing without the header, or with somebody else's name in it. */
const isVouchedFor = (
  { signedInBy, username }: Viewer,
  { trustedHeader }: PeopleParts,
  { raw }: FastifyRequest,
): boolean => !isHeaderSession(signedInBy) || trustedHeader?.usernameIn(raw) === username

/** Over plain HTTP, browsers say nothing about the site but name the page; no page can forge either header. */
function isOwnNavigation({ headers }: FastifyRequest, baseUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined) return headers.referer?.startsWith(`${baseUrl}/`) === true
  return site === 'same-origin' || site === 'none'
}

function openCookies({ request, reply }: Exchange, isSecure: boolean): Cookies {
  const header = request.headers.cookie
  const sent = header === undefined ? {} : fastifyCookie.parse(header)
  const setCookie = (name: string, value: string, { maxAgeSeconds }: CookieLife = {}): void => {
    const cookie = fastifyCookie.serialize(name, value, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
      // Every value consists of characters that a cookie may contain; encoding would make the preferences unreadable.
      encode: (text) => text,
    })
    reply.header('Set-Cookie', cookie)
  }
  return {
    cookie: (name) => (Object.hasOwn(sent, name) ? sent[name] : undefined),
    setCookie,
    clearCookie: (name) => setCookie(name, '', { maxAgeSeconds: 0 }),
  }
}

/** Visitors who are not signed in are identified by a random cookie, which is set only once a form needs it. */
function visitorCookie(cookies: Cookies, name: string, randomBytes: FrameParts['randomBytes']) {
  let created = ''
  return {
    existing: () => {
      const value = cookies.cookie(name) ?? ''
      return VISITOR.test(value) ? value : ''
    },
    create: () => {
      if (created === '') {
        created = randomBytes(VISITOR_BYTES).toString('base64url')
        cookies.setCookie(name, created)
      }
      return created
    },
  }
}
