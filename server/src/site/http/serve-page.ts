// The order of every page request: viewer → access → CSRF token (POST) → step-up → query → form → quota → handle →
// layout. Anything that goes wrong on the way becomes an error page here, in the reader's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { CONFIRMED_MS } from '../../accounts/account-settings.ts'
import { isHeaderSession } from '../../accounts/sign-in-elsewhere.ts'
import { fieldMessages, Refusal } from '../../errors.ts'
import type { Quota } from '../../rate-limit/searcher-limits.ts'
import { isDatabaseAway } from '../../store/database.ts'
import type { Words } from '../i18n/messages.ts'
import { frameOf, layOut } from '../parts/layout.ts'
import { type Site, toRoute } from '../site.ts'
import { brokenPage, errorPage, PageError } from './error-pages.ts'
import { type FormFields, formFields } from './form-fields.ts'
import {
  isLocalPath,
  type Page,
  type PageContext,
  type PageReply,
  type Redirect,
  redirectTo,
  type View,
} from './page.ts'
import { createPageContext, type SiteFrame } from './page-context.ts'
import { sendContent, sendParts, sendTagged, setSecurityHeaders } from './send-page.ts'

export type ServePage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Serves the page that is on the route of `mounted` now: it is made anew with the settings. */
export function servePage(mounted: Page, frame: SiteFrame): ServePage {
  const route = toRoute(mounted)
  const { findSession } = frame.people
  return async (request, reply) => {
    const site = frame.site()
    // A page that isn't of the product doesn't depend on the settings.
    const page = site.pages.get(route) ?? mounted
    let context: PageContext | undefined
    try {
      context = await createPageContext(frame, site, { request, reply, findSession })
      setSecurityHeaders(reply, page)
      const elsewhere = checkAccess(page, context)
      if (elsewhere) return await send(reply, context, elsewhere)
      const body = await formFields(request.body)
      if (page.method === 'POST') requireToken(request, body, context)
      const confirmation = checkStepUp(page, context)
      if (confirmation) return await send(reply, context, confirmation)
      readQuery(page, context, request.query)
      readForm(formSchema(page, context.words), context, body)
      if (page.quota) await consumeQuota(frame, page.quota, context)
      // The checks above have established what the page's types promise about viewer, query and form.
      return await send(reply, context, await page.handle(context as never))
    } catch (error) {
      if (error instanceof PageError && error.reason === 'forbidden') await recordDenied(frame, page, context)
      return await sendError(frame, { request, reply }, { error, context, page, site })
    }
  }
}

interface Failure {
  error: unknown
  /** undefined: the session has not been looked up yet. */
  context?: PageContext | undefined
  page?: Page
  /** That the request began with; that of now if none is given. */
  site?: Site
}

const ACCOUNTS_UNAVAILABLE = new Refusal(
  'storage_unavailable',
  'Accounts are temporarily unavailable. Try again in a few seconds.',
  {
    'Retry-After': '5',
  },
)

/** Sends the error as a page, or as a bare status for programs. */
export async function sendError(
  frame: SiteFrame,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { error, context, page, site = frame.site() }: Failure,
): Promise<FastifyReply> {
  // If the session can't be looked up, or the instance is overloaded, the error page is rendered as for a visitor who
  // isn't signed in.
  const errorContext = context ?? (await createErrorContext(frame, site, { request, reply }))
  setSecurityHeaders(reply)
  const explained = errorPage(isDatabaseAway(error) ? ACCOUNTS_UNAVAILABLE : error, errorContext, request.method)
  if (!explained) frame.log.error({ request: request.id, route: request.routeOptions.url, err: error })
  const view = { ...(explained ?? brokenPage(errorContext, request.id)), ...searchOf(page, context) }
  const { status = 500, headers = {} } = view
  const bare = { status, headers, contentType: 'text/plain; charset=utf-8', content: `${status}\n` }
  return await send(reply, errorContext, page?.isData ? bare : view)
}

/** A search that failed stays in the field, with its tabs, so that readers can try it again or elsewhere. */
function searchOf(page: Page | undefined, context: PageContext | undefined): Pick<View, 'search' | 'layout'> {
  if (!page?.search || !context?.query) return {}
  // The query has been read by this page's own schema.
  return { search: page.search(context as never), layout: 'results' }
}

async function createErrorContext(
  frame: SiteFrame,
  site: Site,
  exchange: { request: FastifyRequest; reply: FastifyReply },
): Promise<PageContext> {
  const { people, limits } = frame
  let isViewerUnknown = false
  const markUnknown = () => {
    isViewerUnknown = true
    return undefined
  }
  const findSession = async (token: string) =>
    limits.load.isFull ? markUnknown() : await people.findSession(token).catch(markUnknown)
  const context = await createPageContext(frame, site, { ...exchange, findSession })
  context.isViewerUnknown = isViewerUnknown
  return context
}

/** A failure to record the denial is logged; the request is refused either way. */
async function recordDenied(
  { people, log }: SiteFrame,
  { path }: Page,
  context: PageContext | undefined,
): Promise<void> {
  if (!context?.viewer) return
  const { viewer, ip } = context
  await people
    .recordDenied({ userId: viewer.userId, address: ip, route: path })
    .catch((error: unknown) => log.warn({ err: new Error('could not record a denied request', { cause: error }) }))
}

const ENROLMENT_PATH = '/settings/account/second-factor'

/** Returns a redirect if the viewer must go elsewhere first; throws if access is denied. */
function checkAccess(
  { access, method, isData, duringEnrolment }: Page,
  { viewer, isPublic, address }: PageContext,
): Redirect | undefined {
  if (access === 'anyone') return undefined
  if (viewer?.mustEnrol && !duringEnrolment) {
    if (isData) throw new Refusal('second_factor_required', 'Set up a second factor first.')
    return { redirect: ENROLMENT_PATH }
  }
  if (access === 'signed-out') return viewer && { redirect: '/' }
  if (!viewer && access === 'searcher' && isPublic) return undefined
  if (!viewer) {
    if (isData) throw new Refusal('sign_in_required', 'Sign in first.')
    // A submitted form would be lost after signing in, so only a GET can be returned to.
    const next = method === 'GET' && isLocalPath(address) ? `?next=${encodeURIComponent(address)}` : ''
    return { redirect: `/login${next}` }
  }
  if (access === 'admin' && !viewer.isAdmin) throw new PageError('forbidden')
  return undefined
}

/** Redirects to the page that asks for the password or a passkey again, unless that or the sign-in was recent. */
function checkStepUp({ stepUp, method }: Page, { viewer, params, clock, address }: PageContext): Redirect | undefined {
  const sinceMs = clock() - (viewer?.confirmedAt ?? Number.NEGATIVE_INFINITY)
  // The time is absolute, because the clock of the node that confirmed it may be slightly ahead.
  if (stepUp === undefined || Math.abs(sinceMs) < CONFIRMED_MS) return undefined
  // The proxy vouches for every single request, and there may be no password to ask for.
  if (isHeaderSession(viewer?.signedInBy)) return undefined
  const path = stepUp.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  // A link may have filled in the form.
  const next = method === 'GET' && isLocalPath(address) ? address : path
  return { redirect: `/settings/confirm?next=${encodeURIComponent(next)}` }
}

async function consumeQuota({ limits }: SiteFrame, quota: Quota, { viewer, ip, searcher }: PageContext): Promise<void> {
  const wait = await limits.consume(searcher, quota, viewer ? undefined : ip)
  if (wait > 0) throw new Refusal('rate_limited', 'Too many searches.', { 'Retry-After': String(wait) })
}

const TRUSTED_FETCH_SITES = new Set([undefined, 'same-origin', 'none'])

/** Refuses a POST without a valid token, or from another site according to the browser's `Sec-Fetch-Site` header. */
function requireToken({ headers }: FastifyRequest, { _csrf: token }: FormFields, context: PageContext): void {
  const site = headers['sec-fetch-site']
  const isFromHere = TRUSTED_FETCH_SITES.has(Array.isArray(site) ? site[0] : site)
  if (!isFromHere || context.isForged(typeof token === 'string' ? token : undefined)) throw new PageError('forged')
}

function readQuery({ query: schema }: Page, context: PageContext, params: unknown): void {
  if (!schema) return
  const read = schema.safeParse(params)
  if (!read.success) throw new Refusal('parameter_invalid', fieldMessages(read.error))
  context.query = read.data
}

function readForm(schema: z.ZodObject | undefined, context: PageContext, body: FormFields): void {
  const { _csrf, ...fields } = body
  for (const [name, value] of Object.entries(fields))
    context.submitted[name] = Array.isArray(value) ? (value[0] ?? '') : value
  if (!schema) return
  const read = schema.safeParse(fields)
  context.form = read.success ? { ok: true, values: read.data } : { ok: false, messages: fieldMessages(read.error) }
}

/** By the page's function for it, which a change of settings leaves as it is; then by language. */
const knownSchemas = new WeakMap<NonNullable<Page['form']>, WeakMap<Words, z.ZodObject>>()

/** Builds the form's schema once per language. */
function formSchema({ form }: Page, words: Words): z.ZodObject | undefined {
  if (!form) return undefined
  const byLanguage = knownSchemas.get(form) ?? new WeakMap<Words, z.ZodObject>()
  knownSchemas.set(form, byLanguage)
  const schema = byLanguage.get(words) ?? form(words)
  byLanguage.set(words, schema)
  return schema
}

const ACCOUNT_PATHS = /^\/(?:settings|admin|login|logout|callback|setup|oauth|invitation)(?:\/|$)/

async function send(reply: FastifyReply, context: PageContext, answer: PageReply): Promise<FastifyReply> {
  // Pages are private and revalidated on every use. Account pages are not stored at all.
  reply.header('Cache-Control', ACCOUNT_PATHS.test(context.path) ? 'no-store' : 'private, no-cache')
  if ('redirect' in answer) return reply.code(303).header('Location', redirectTo(answer.redirect).redirect).send()
  const { status = 200, headers = {} } = answer
  reply.code(status).headers(headers)
  if ('content' in answer) return await sendContent(reply.type(answer.contentType), answer.content)
  reply.type('text/html; charset=utf-8')
  if ('parts' in answer) return sendParts(reply, { ...frameOf(answer, context), parts: answer.parts })
  const page = layOut(answer, context)
  return await (answer.isTagged ? sendTagged(reply, page) : sendContent(reply, page))
}
