// What a page is: one declared object that is the route, who may see it, what it reads and how it answers. Everything
// common to all pages (session, access, forgery, language, preferences, layout, headers, errors) is done around it in
// `serve-page.ts`, in this order: viewer → access → forgery token (POST) → query → form → handle → layout.
//
//   export const keyPage = definePage({
//     method: 'POST', path: '/settings/keys/:keyId/revoke', access: 'user',
//     form: (words) => z.object({ sure: z.literal('yes', words.accounts.confirmFirst) }),
//     async handle({ viewer, params, form, words, services }) { … return redirectTo('/settings/keys') },
//   })
//
// A page throws a `Refusal` for what it will not do: that becomes an error page with the refusal's status and words.
import type { z } from 'zod'
import type { FieldMessages } from '../../errors.ts'
import type { Html } from './html.ts'
import type { Preferences } from '../preferences.ts'
import type { SiteServices, Viewer } from '../site-services.ts'
import type { Words } from '../words/en.ts'
import type { Locale } from '../i18n/messages.ts'

/**
 * anyone      everybody
 * searcher    who is signed in, or everybody when the instance is public
 * user        who is signed in; others are asked to, and come back afterwards
 * admin       administrators; other users get 403
 * signed-out  who is not signed in; others are sent to the home page
 */
export type PageAccess = 'anyone' | 'searcher' | 'user' | 'admin' | 'signed-out'

/** What a page asks of providers. Completions are asked for with every letter, so they have more room. */
export type Errand = 'search' | 'suggestion'

/** A viewer is there wherever the page asks for one. */
type ViewerFor<Access extends PageAccess> = Access extends 'user' | 'admin'
  ? Viewer
  : Access extends 'signed-out'
    ? undefined
    : Viewer | undefined

/** A form as it was sent: its values, or what is wrong with each field, in the reader's language. */
export type FormReading<Values> = { ok: true; values: Values } | { ok: false; messages: FieldMessages }

export interface CookieLife {
  /** undefined: until the browser is closed. */
  maxAgeSeconds?: number
}

/** One request for a page, with everything the page may know. */
export interface Visit<Query = unknown, Values = unknown, Who = Viewer | undefined> {
  viewer: Who
  /** From the cookie; what the address says wins over it where the two meet. */
  preferences: Preferences
  /** The interface in the reader's language, and which one that is. */
  words: Words
  locale: Locale
  /**
   * For the hidden field of a POST form; `postForm` in `parts/form.ts` writes it. Another text in every response. Reading
   * it may set a cookie, so it is read only where there is a form.
   */
  readonly csrf: string
  /** Whether a POST with this token comes from somewhere else; asked before every POST page. */
  isForged: (token: string | undefined) => boolean
  /** Whether this instance has a page at a path, so that nothing links to one that is not there. */
  hasPage: (path: string) => boolean
  /** For the dot in the footer; undefined while nothing is known. */
  providersDown: number | undefined
  /** Scheme and host as the browser sees them, without a trailing slash. */
  baseUrl: string
  /** The path of the address, and the path with its query: for links back here. */
  path: string
  address: string
  /** The values of `:name` in the page's path, decoded. */
  params: Record<string, string>
  query: Query
  form: FormReading<Values>
  /** The fields as they were sent, for filling a form again; never a place to take values from. */
  given: Record<string, string>
  ip: string
  userAgent: string
  services: SiteServices
  cookie: (name: string) => string | undefined
  /** HttpOnly, SameSite=Lax, for the whole site, Secure on https; the names of cookies are in `cookies.ts`. */
  setCookie: (name: string, value: string, life?: CookieLife) => void
  clearCookie: (name: string) => void
  startSession: (token: string, life: CookieLife) => void
  endSession: () => void
  setPreferences: (preferences: Preferences) => void
}

/** A page of the site, before the layout is put around it. */
export interface View {
  /** In the browser's tab, before the name of the site. */
  title: string
  /** A function where it may turn out that the page was sent before, and need not be written again. */
  body: Html | (() => Html)
  status?: number
  /**
   * What the body is made of, where two visits of one reader to one address may differ: objects and texts that stay the
   * same while nothing has changed. The page is then sent again as it was. Never for a page with a form that is posted.
   */
  madeOf?: readonly unknown[] | undefined
  /** Beyond those that every page has. `'Cache-Control': 'no-store'` where a secret is shown. */
  headers?: Record<string, string>
  /**
   * How the body stands. `column` (when left out): one column of reading width. `wide`: for tables and settings.
   * `narrow`: a small form in the middle, as for signing in, without the search field. `results` and `home`: what they say.
   */
  layout?: 'column' | 'wide' | 'narrow' | 'results' | 'home'
  /** What is searched for: fills the field in the header and shows the tabs under it. */
  search?: SearchBar
}

export interface SearchBar {
  text: string
  tab: SearchTab
  /** Parameters beyond `q` that the other tabs and a new search keep. */
  keep?: Record<string, string>
  /** At the end of the line of tabs. */
  filters?: Html
}

export type SearchTab = 'web' | 'images' | 'news' | 'videos' | 'maps' | 'translate'

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

export type PageReply = View | Redirect | Verbatim

export interface Page<
  Query extends z.ZodObject = z.ZodObject,
  Form extends z.ZodObject = z.ZodObject,
  Access extends PageAccess = PageAccess,
> {
  method: 'GET' | 'POST'
  /** With `:name` for a part that varies; no trailing slash. */
  path: string
  access: Access
  /** An address that does not fit gets a 400 page, so be tolerant: `.catch(…)` where a default will do. */
  query?: Query
  /** Made once for each language. A form that does not fit reaches `handle` with its messages. */
  form?: (words: Words) => Form
  /** It asks providers something: the searcher's limits are checked and spent before it is handled. */
  spends?: Errand
  /** For programs: who may not see it gets a bare 401 or 403, and no way to sign in. */
  isData?: true
  /** The page shows OpenStreetMap in a frame. */
  framesMap?: true
  handle(visit: Visit<z.output<Query>, z.output<Form>, ViewerFor<Access>>): Promise<PageReply> | PageReply
}

export const definePage = <Query extends z.ZodObject, Form extends z.ZodObject, Access extends PageAccess>(
  page: Page<Query, Form, Access>,
): Page<Query, Form, Access> => page

/** Only ever a path of this site: an address of somebody else's would make us a signpost for swindlers. */
export const redirectTo = (path: string): Redirect => ({ redirect: isLocalPath(path) ? path : '/' })

const LOCAL_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/

/** Begins with one slash and holds no backslash, space or control character, which browsers read as they like. */
export const isLocalPath = (path: string): boolean => path.length <= 2048 && LOCAL_PATH.test(path)
