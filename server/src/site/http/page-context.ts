// From a request to a visit: who it is, in which language, with which preferences, and the cookies that go back.
import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicAddress } from '../../text/public-address.ts'
import {
  cookieName,
  cookieOptions,
  PREFERENCES_COOKIE,
  PREFERENCES_LIFE_SECONDS,
  SESSION_COOKIE,
  VISITOR_COOKIE,
} from './cookies.ts'
import type { Csrf } from './csrf.ts'
import type { CookieLife, Visit } from './page.ts'
import { exportPreferences, preferencesOf } from '../preferences.ts'
import type { SiteServices, Viewer } from '../site-services.ts'
import { DICTIONARIES, localeFor } from '../i18n/messages.ts'

/** What all visits share. */
export interface SiteFrame {
  services: SiteServices
  csrf: Csrf
  /** Whether this instance has a page at a path, so that nothing links to one that is not there. */
  hasPage: (path: string) => boolean
  /** How many providers are down, as far as is known; for the dot in the footer. */
  providersDown: () => number | undefined
}

/** The answer to a request that is under way. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

type Cookies = Pick<Visit, 'cookie' | 'setCookie' | 'clearCookie'>

const VISITOR = /^[\w-]{24}$/
const VISITOR_BYTES = 18
/** As browsers bound a cookie; a longer one is nobody's session, and not worth a look-up. */
const LONGEST_TOKEN = 512

export async function openVisit(
  frame: SiteFrame,
  { request, reply }: Exchange,
  find: (token: string) => Promise<Viewer | undefined>,
): Promise<Visit> {
  const { services } = frame
  const baseUrl = publicAddress(request, services.publicUrl)
  const isSecure = baseUrl.startsWith('https://')
  const cookies = openCookies({ request, reply }, isSecure)
  const sessionCookie = cookieName(SESSION_COOKIE, isSecure)
  const token = cookies.cookie(sessionCookie) ?? ''
  const viewer = token !== '' && token.length <= LONGEST_TOKEN ? await find(token) : undefined
  const preferences = preferencesOf(cookies.cookie(PREFERENCES_COOKIE))
  const locale = preferences.interfaceLocale || localeFor(request.headers['accept-language'])
  // Several tokens may stand on one page; they are all for one browser.
  const visitor = visitorMark(cookies, cookieName(VISITOR_COOKIE, isSecure), services.randomBytes)
  const browser = () => (viewer ? token : visitor.given() || visitor.made())
  return {
    viewer,
    preferences,
    locale,
    words: DICTIONARIES[locale],
    get csrf() {
      return frame.csrf.tokenFor(browser())
    },
    isForged: (sent) => !frame.csrf.isValid(sent, viewer ? token : visitor.given()),
    hasPage: frame.hasPage,
    providersDown: frame.providersDown(),
    baseUrl,
    path: request.url.split('?', 1)[0] ?? '/',
    address: request.url,
    // Fastify decodes the parts of the path and gives them as strings.
    params: (request.params ?? {}) as Record<string, string>,
    query: {},
    form: { ok: true, values: {} },
    given: {},
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
    services,
    ...cookies,
    startSession: (token, life) => cookies.setCookie(sessionCookie, token, life),
    endSession: () => cookies.clearCookie(sessionCookie),
    setPreferences: (preferences) =>
      cookies.setCookie(PREFERENCES_COOKIE, exportPreferences(preferences), {
        maxAgeSeconds: PREFERENCES_LIFE_SECONDS,
      }),
  }
}

function openCookies({ request, reply }: Exchange, isSecure: boolean): Cookies {
  const header = request.headers.cookie
  const sent = header === undefined ? {} : fastifyCookie.parse(header)
  const set = (name: string, value: string, maxAgeSeconds: number | undefined) =>
    void reply.header(
      'Set-Cookie',
      // Every value is made of characters that a cookie may hold; encoding would make the preferences unreadable.
      fastifyCookie.serialize(name, value, { ...cookieOptions(isSecure, maxAgeSeconds), encode: (text) => text }),
    )
  return {
    cookie: (name) => (Object.hasOwn(sent, name) ? sent[name] : undefined),
    setCookie: (name, value, life: CookieLife = {}) => set(name, value, life.maxAgeSeconds),
    clearCookie: (name) => set(name, '', 0),
  }
}

/** Who is not signed in is told apart by a random cookie, which is set when the first form needs it and not before. */
function visitorMark(cookies: Cookies, name: string, randomBytes: SiteServices['randomBytes']) {
  let made = ''
  return {
    given: () => {
      const given = cookies.cookie(name) ?? ''
      return VISITOR.test(given) ? given : ''
    },
    made: () => {
      if (made === '') {
        made = randomBytes(VISITOR_BYTES).toString('base64url')
        cookies.setCookie(name, made)
      }
      return made
    },
  }
}
