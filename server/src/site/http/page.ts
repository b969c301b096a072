// A page is one declared object: its route, who may see it, what it reads and how it responds. Everything that all
// pages share (session, access, CSRF protection, language, preferences, limits, layout, headers, errors) happens around
// it in `serve-page.ts`, which also documents the order.
//
//   const revokeForm = (words: Words) => z.object({ sure: z.literal('yes', words.accounts.confirmFirst) })
//
//   export const revokePage = ({ accounts }: KeyPagesParts) =>
//     definePage({
//       method: 'POST', path: '/settings/keys/:keyId/revoke', access: 'user', form: revokeForm,
//       async handle({ viewer, params, form, words }) { … return redirectTo('/settings/keys') },
//     })
//
// A page that uses services is made by a function that takes just those, and made anew at each change of the settings; so
// schemas, and whatever else depends on nothing, are outside of it.
//
// A page throws a `Refusal` for anything it will not do; that becomes an error page with the refusal's status and text.
import type { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Quota } from '../../rate-limit/searcher-limits.ts'
import type { Caller } from '../../search/caller.ts'
import type { Appearance } from '../../settings/appearance.ts'
import type { ExtraScript } from '../assets.ts'
import type { Language, Locale, Words } from '../i18n/messages.ts'
import type { Preferences } from '../preferences.ts'
import type { SearchOffers } from '../search-offers.ts'
import type { Html } from './html.ts'

/** The signed-in user. */
export interface Viewer {
  userId: string
  username: string
  isAdmin: boolean
  sessionId: string
  /** When they last proved who they are, by signing in or when asked again, in milliseconds since 1970. */
  confirmedAt?: number | undefined
  /** The user must set up a second factor before anything else. */
  mustEnrol?: boolean
  /** `oidc:<provider>` or `header`; null: they signed in with what the account has here. */
  signedInBy?: string | null
  /** As `preferences.ts` writes them; null as long as they have chosen none. */
  preferences?: string | null
}

/**
 * anyone      everyone
 * searcher    signed-in users, or everyone if the instance is public
 * user        signed-in users; others are sent to sign in and come back afterwards
 * admin       administrators; other users get 403
 * signed-out  visitors who are not signed in; others are sent to the home page
 */
export type PageAccess = 'anyone' | 'searcher' | 'user' | 'admin' | 'signed-out'

/** There is always a viewer if the page requires one. */
type ViewerFor<Access extends PageAccess> = Access extends 'user' | 'admin'
  ? Viewer
  : Access extends 'signed-out'
    ? undefined
    : Viewer | undefined

/** A submitted form: its values, or what is wrong with each field, in the reader's language. */
export type FormReading<Values> = { ok: true; values: Values } | { ok: false; messages: FieldMessages }

export interface CookieLife {
  /** undefined: a session cookie. */
  maxAgeSeconds?: number
}

/** One request for a page, with everything the page may know. */
export interface PageContext<Query = unknown, Values = unknown, Who = Viewer | undefined> {
  viewer: Who
  /** The session couldn't be looked up: the reader is treated as a visitor, but not asked to sign in. */
  isViewerUnknown?: boolean
  /** From the account or, without one, from the cookie; the URL overrides it. */
  preferences: Preferences
  /** The texts of the interface in the reader's language, and that language. */
  words: Words
  language: Language
  /** The language with the reader's region, for `Intl`: how dates and numbers are written. */
  locale: Locale
  /**
   * For the hidden field of a POST form, which `postForm` in `parts/form.ts` writes. It differs in every response.
   * Reading it may set a cookie, so read it only if there is a form.
   */
  readonly csrf: string
  /** Whether a POST with this token may come from another site; checked before every POST page. */
  isForged: (token: string | undefined) => boolean
  /** Whether this instance has a page at a path, so that no link leads to a missing page. */
  hasPage: (path: string) => boolean
  /** The OpenAPI document of this instance's API. */
  openapi: () => object
  /** For the dot in the footer; undefined if nothing is known yet. */
  providersDown: number | undefined
  /** Scheme and host as the browser sees them, without a trailing slash. */
  baseUrl: string
  /** The path of the URL, and the path with its query, for links back here. */
  path: string
  address: string
  /** The values of `:name` in the page's path, decoded. */
  params: Record<string, string>
  query: Query
  form: FormReading<Values>
  /** The fields as submitted, without validation, for refilling a form; prefer the values in `form`. */
  submitted: Record<string, string>
  ip: string
  /** Whose limits apply: an account has its own wherever it is used, other visitors share those of their network. */
  readonly searcher: string
  /** Who the operator's proxy says is here: see `trusted-header.ts`. */
  trustedName?: string | undefined
  userAgent: string
  /** The part of a file that is asked for, and what the client has of it already, as in the headers. */
  range: string | undefined
  ifNoneMatch: string | undefined
  /** Whether a page of this site led here, or an address that was typed; not another site's link. */
  isOwnNavigation: boolean
  /** For a large reply: takes so many bytes of the memory for those until it is sent. Throws a 503 if there is no room. */
  holdMemory: (bytes: number) => void
  clock: () => number
  log: Log
  /** INSTANCE_NAME: what the website calls itself. */
  instanceName: string
  /** INSTANCE_LOGO and so on: what else makes the website the operator's own. */
  appearance: Appearance
  /** SITE_ACCESS=public: visitors who aren't signed in may search. */
  isPublic: boolean
  /** What the search field and the tabs offer. */
  offers: SearchOffers
  /** Who asks, for every service that may call a provider. */
  caller: Caller
  cookie: (name: string) => string | undefined
  /** HttpOnly, SameSite=Lax, for the whole site, Secure on https; `page-context.ts` has the names of cookies. */
  setCookie: (name: string, value: string, life?: CookieLife) => void
  clearCookie: (name: string) => void
  startSession: (token: string, life: CookieLife) => void
  endSession: () => void
  /** In the account of a signed-in user; otherwise in the browser. */
  setPreferences: (preferences: Preferences) => Promise<void>
}

/** A page of the site, before the layout is put around it. */
export interface View {
  /** Shown in the browser tab, before the name of the site. */
  title: string
  body: Html
  status?: number
  /** Sent with an ETag, so a browser that already has the page gets a 304. Never for a page with a POST form. */
  isTagged?: true
  /** Beyond those that every page has. `'Cache-Control': 'no-store'` where a secret is shown. */
  headers?: Record<string, string>
  /**
   * `column` (the default): one column of reading width. `wide`: for tables and settings. `narrow`: a small centred
   * form without the search field, as for signing in. `steps`: a rail of steps and a column, without the search field.
   * `results` and `home`: for those pages.
   */
  layout?: 'column' | 'wide' | 'narrow' | 'steps' | 'results' | 'home'
  /** The URL of a per-user OpenSearch description. Never on a page that shows user input. */
  searchDescription?: string
  /** In addition to the one on every page, and to that of the layout `results`; `none`: not even those. */
  scripts?: readonly ExtraScript[] | 'none'
  /** The paths of stylesheets in addition to the one on every page. */
  styles?: readonly string[]
  /** The search: fills the field in the header and shows the tabs below it. */
  search?: SearchBar
  /** The page reports a provider that failed, so its footer must not say that all are up. */
  hasFailures?: boolean
}

/**
 * A page whose body is sent in parts as they become ready. The status is sent with the first part, so it must be known
 * by then.
 */
export interface StreamedView extends Omit<View, 'body' | 'isTagged'> {
  parts: AsyncIterable<Html>
}

export interface SearchBar {
  text: string
  tab: SearchTab
  /** Parameters besides `q` that the other tabs and a new search keep. */
  keep?: Record<string, string>
  /** Shown at the end of the line of tabs. */
  filters?: Html
  /** Only fills the field: the page is not a list of results. */
  isFieldOnly?: true
}

export type SearchTab = 'web' | 'images' | 'news' | 'videos' | 'science' | 'code' | 'maps' | 'translate' | 'mine'

/** 303, to a path of this site. */
export interface Redirect {
  redirect: string
}

/** Something that is not a page: a document for programs, or a file. */
export interface Verbatim {
  contentType: string
  content: string | Buffer
  status?: number
  headers?: Record<string, string>
}

export type PageReply = View | StreamedView | Redirect | Verbatim

export interface Page<
  Query extends z.ZodObject = z.ZodObject,
  Form extends z.ZodObject = z.ZodObject,
  Access extends PageAccess = PageAccess,
> {
  method: 'GET' | 'POST'
  /** With `:name` for parameters; no trailing slash. */
  path: string
  access: Access
  /** An invalid URL gets a 400 page, so be tolerant: use `.catch(…)` if a default will do. */
  query?: Query
  /** Built once per language. An invalid form reaches `handle` with its messages. */
  form?: (words: Words) => Form
  /** How much a browser may send; 16 KB if not set. It is parsed before anything about the request is known. */
  maxFormBytes?: number
  /** The form has a file. It is sent as multipart/form-data, and reaches `form` as a `data:` address; '' if none was chosen. */
  takesFiles?: true
  /** The page calls providers or is expensive: the searcher's limits are checked and consumed before it is handled. */
  quota?: Quota
  /**
   * The user must have signed in or confirmed their identity in the last ten minutes. Otherwise they are asked to
   * confirm it, and then return to this path: the page itself, or for a POST the page with the form. `:name` parts are
   * filled in from this page's path.
   */
  stepUp?: string
  /** Available to users who must set up a second factor first. */
  duringEnrolment?: true
  /** For programs: without access they get a bare 401 or 403 instead of a sign-in page. */
  isData?: true
  /** The page shows OpenStreetMap in a frame. */
  framesMap?: true
  /** The search in the URL, so that an error page keeps it. */
  search?: (context: PageContext<z.output<Query>>) => SearchBar
  handle(context: PageContext<z.output<Query>, z.output<Form>, ViewerFor<Access>>): Promise<PageReply> | PageReply
}

export const definePage = <Query extends z.ZodObject, Form extends z.ZodObject, Access extends PageAccess>(
  page: Page<Query, Form, Access>,
): Page<Query, Form, Access> => page

/** Only a path on this site: anything else would be an open redirect. */
export const redirectTo = (path: string): Redirect => ({ redirect: isLocalPath(path) ? path : '/' })

const LOCAL_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/

/** Whether it starts with exactly one slash, and has no backslash, space or control character, which browsers alter. */
export const isLocalPath = (path: string): boolean => path.length <= 2048 && LOCAL_PATH.test(path)
