// The order of every page: viewer → access → forgery token → query → form → handle → layout. What goes wrong on the way
// becomes an error page here, in the reader's language.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { toNetwork } from '../access/sign-in-limits.ts'
import { type FieldMessages, Refusal } from '../errors.ts'
import { isDatabaseAway } from '../state/database.ts'
import { brokenPage, errorPage, PageError } from './http/error-pages.ts'
import { type Errand, isLocalPath, type Page, type PageReply, type Redirect, redirectTo, type Visit } from './http/page.ts'
import { layOut } from './parts/layout.ts'
import { sendContent, sendRemembered, setCarefulHeaders } from './http/send-page.ts'
import { openVisit, type SiteFrame } from './http/page-context.ts'
import type { Words } from './words/en.ts'

export type ServePage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function servePage(page: Page, frame: SiteFrame): ServePage {
  const formFor = remembered(page.form)
  const { find } = frame.services.sessions
  return async (request, reply) => {
    let visit: Visit | undefined
    try {
      visit = await openVisit(frame, { request, reply }, find)
      setCarefulHeaders(reply, visit, page)
      const elsewhere = judgeAccess(page, visit)
      if (elsewhere) return await send(reply, visit, elsewhere)
      if (page.method === 'POST') requireToken(request, visit)
      readQuery(page, visit, request.query)
      readForm(formFor?.(visit.words), visit, request.body)
      if (page.spends) await spendOn(page.spends, visit)
      // What the page's types promise of its viewer, query and form has just been made true.
      return await send(reply, visit, await page.handle(visit as never))
    } catch (error) {
      return await sendError(frame, { request, reply }, { error, visit, page })
    }
  }
}

interface Failure {
  error: unknown
  /** undefined: nobody has looked yet whose request it is. */
  visit?: Visit | undefined
  page?: Page
}

const NOT_NOW = new Refusal(503, 'Accounts cannot be reached right now. Try again in a few seconds.', {
  'Retry-After': '5',
})

/** An error as a page; for programs, as the bare status. */
export async function sendError(
  frame: SiteFrame,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { error, visit, page }: Failure,
): Promise<FastifyReply> {
  // Whoever cannot be looked up now is nobody: an error page has to come of it in any case.
  const find = (token: string) => frame.services.sessions.find(token).catch(() => undefined)
  const known = visit ?? (await openVisit(frame, { request, reply }, find))
  setCarefulHeaders(reply, known)
  const told = errorPage(isDatabaseAway(error) ? NOT_NOW : error, known)
  if (!told) frame.services.log.error({ request: request.id, route: request.routeOptions.url, err: error })
  const view = told ?? brokenPage(known, request.id)
  if (!page?.isData) return await send(reply, known, view)
  const { status = 500, headers = {} } = view
  return await send(reply, known, { status, headers, contentType: 'text/plain; charset=utf-8', content: `${status}\n` })
}

/** Where to go instead, or nothing. */
function judgeAccess({ access, method, isData }: Page, { viewer, services, address }: Visit): Redirect | undefined {
  if (access === 'anyone') return undefined
  if (access === 'signed-out') return viewer && { redirect: '/' }
  if (!viewer && access === 'searcher' && services.isPublic) return undefined
  if (!viewer) {
    if (isData) throw new Refusal(401, 'Sign in first.')
    // After signing in a form would be gone anyway: only a page can be come back to.
    const next = method === 'GET' && isLocalPath(address) ? `?next=${encodeURIComponent(address)}` : ''
    return { redirect: `/login${next}` }
  }
  if (access === 'admin' && !viewer.isAdmin) throw new PageError('forbidden')
  return undefined
}

/** An account has its own limits wherever it is used; who has none shares those of the network. */
async function spendOn(errand: Errand, { viewer, ip, services }: Visit): Promise<void> {
  const wait = await services.spend(viewer ? `user ${viewer.userId}` : `network ${toNetwork(ip)}`, errand)
  if (wait > 0) throw new Refusal(429, 'Too many searches.', { 'Retry-After': String(wait) })
}

const HOME_SITES = new Set([undefined, 'same-origin', 'none'])

/** The token decides. The browser's own word for where a request comes from can only make it stricter. */
function requireToken({ headers, body }: FastifyRequest, visit: Visit): void {
  const token = (body as Record<string, unknown> | undefined)?.['_csrf']
  const site = headers['sec-fetch-site']
  const isFromHere = HOME_SITES.has(Array.isArray(site) ? site[0] : site)
  if (!isFromHere || visit.isForged(typeof token === 'string' ? token : undefined)) throw new PageError('forged')
}

function readQuery({ query: schema }: Page, visit: Visit, given: unknown): void {
  if (!schema) return
  const read = schema.safeParse(given)
  if (!read.success) throw new Refusal(400, messagesOf(read.error))
  visit.query = read.data
}

function readForm(schema: z.ZodObject | undefined, visit: Visit, body: unknown): void {
  const { _csrf, ...fields } = (body ?? {}) as Record<string, string | string[]>
  for (const [name, value] of Object.entries(fields))
    visit.given[name] = Array.isArray(value) ? (value[0] ?? '') : value
  if (!schema) return
  const read = schema.safeParse(fields)
  visit.form = read.success ? { ok: true, values: read.data } : { ok: false, messages: messagesOf(read.error) }
}

function messagesOf(error: z.ZodError): FieldMessages {
  const messages: FieldMessages = {}
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? 'detail')
    messages[name] = [...(messages[name] ?? []), message]
  }
  return messages
}

/** A form's schema is made once for each language. */
function remembered(form: Page['form']): ((words: Words) => z.ZodObject) | undefined {
  if (!form) return undefined
  const known = new WeakMap<Words, z.ZodObject>()
  return (words) => {
    const schema = known.get(words) ?? form(words)
    known.set(words, schema)
    return schema
  }
}

async function send(reply: FastifyReply, visit: Visit, answer: PageReply): Promise<FastifyReply> {
  // A page is for its reader alone, and only as long as nothing has changed.
  reply.header('Cache-Control', 'private, no-cache')
  if ('redirect' in answer) return reply.code(303).header('Location', redirectTo(answer.redirect).redirect).send()
  const { status = 200, headers = {} } = answer
  reply.code(status).headers(headers)
  if ('content' in answer) return await sendContent(reply.type(answer.contentType), answer.content)
  reply.type('text/html; charset=utf-8')
  const { madeOf } = answer
  const write = () => layOut(answer, visit)
  return await (madeOf ? sendRemembered(reply, { name: nameOf(visit), madeOf, write }) : sendContent(reply, write()))
}

/** What of a visit shows on its page, besides what the page is made of. */
function nameOf({ address, baseUrl, locale, preferences, viewer, providersDown }: Visit): string {
  const { theme, newTab, engines, safe, lang } = preferences
  return [address, baseUrl, locale, theme, newTab, engines, safe, lang, viewer?.username, providersDown].join('\n')
}
