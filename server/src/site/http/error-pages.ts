// The pages for errors: what happened, and what the reader can do about it. They reveal only what the
// reader may know.
import type { FastifyError } from 'fastify'
import { type ErrorCode, frameworkCode, Refusal, type RefusalBody } from '../../errors.ts'
import type { Words } from '../i18n/messages.ts'
import { actions, buttonLink } from '../parts/form.ts'
import { type Html, html } from './html.ts'
import type { PageContext, View } from './page.ts'

/** An error with its own page, thrown while serving a page or by the page itself. */
export class PageError extends Error {
  readonly reason: 'forbidden' | 'forged' | 'notFound'

  constructor(reason: PageError['reason']) {
    super(reason)
    this.reason = reason
  }
}

interface Explanation {
  code: ErrorCode
  status: number
  title: string
  help: Html | string
  headers?: Record<string, string>
}

/** undefined: our own bug, to be logged and shown with `brokenPage`. */
export function errorPage(error: unknown, { words, address }: PageContext, method: string): View | undefined {
  const explained = explain(error, words.frame.errors)
  return explained && viewOf(explained, words.frame, method === 'GET' ? address : undefined)
}

export const brokenPage = ({ words }: PageContext, requestId: string): View =>
  viewOf(
    {
      code: 'internal_error',
      status: 500,
      title: words.frame.errors.broken,
      help: words.frame.errors.brokenHelp({ id: requestId }),
    },
    words.frame,
  )

/** `address`: what was asked for, offered again if it may work later. */
function viewOf(
  { code, status, title, help, headers = {} }: Explanation,
  words: Words['frame'],
  address?: string,
): View {
  const again = address !== undefined && 'Retry-After' in headers && buttonLink(words.errors.tryAgain, address)
  const body = html`<div class="error-page"><h1>${title}</h1>
<div class="prose">${typeof help === 'string' ? html`<p>${help}</p>` : help}</div>
${actions(again, html`<a href="/">${words.errors.goHome}</a>`)}</div>`
  return { status, title, body, headers: { 'Cache-Control': 'no-store', ...headers, 'Error-Code': code } }
}

function explain(error: unknown, words: Words['frame']['errors']): Explanation | undefined {
  if (error instanceof PageError) {
    if (error.reason === 'notFound')
      return { code: 'not_found', status: 404, title: words.notFound, help: words.notFoundHelp }
    if (error.reason === 'forged')
      return { code: 'form_expired', status: 403, title: words.formExpired, help: words.formExpiredHelp }
    return { code: 'admin_required', status: 403, title: words.forbidden, help: words.forbiddenHelp }
  }
  if (error instanceof Refusal) return explainRefusal(error, words)
  const status = (error as Partial<FastifyError>).statusCode ?? 500
  if (status >= 500) return undefined
  const code = frameworkCode(status)
  if (status === 413) return { code, status, title: words.tooLarge, help: words.tooLargeHelp }
  return { code, status, title: words.notAllowed, help: words.notAllowedHelp }
}

function explainRefusal(refusal: Refusal, words: Words['frame']['errors']): Explanation {
  const { code, status, body, headers } = refusal
  const seconds = Number(headers['Retry-After'] ?? 0)
  if (code === 'overloaded')
    return { code, status, title: words.overloaded, help: words.overloadedHelp({ seconds }), headers }
  if (status === 429) {
    const help = html`<p>${words.tooManyWhose}</p><p>${words.tooManyHelp({ seconds: Math.max(1, seconds) })}</p>`
    return { code, status, title: words.tooMany, help, headers }
  }
  if (status === 405) return { code, status, title: words.notAllowed, help: words.notAllowedHelp, headers }
  if (status === 404)
    return { code, status, title: words.notFound, help: detailOf(body) ?? words.notFoundHelp, headers }
  if (status >= 500 && seconds > 0)
    return { code, status, title: words.unavailable, help: words.overloadedHelp({ seconds }), headers }
  const title =
    status === 400
      ? words.badRequest
      : status === 403
        ? words.forbidden
        : status >= 500
          ? words.unavailable
          : words.refused
  return { code, status, title, help: detailOf(body) ?? listOf(body, words), headers }
}

const detailOf = (body: RefusalBody): string | undefined =>
  typeof body['detail'] === 'string' ? body['detail'] : undefined

const listOf = (body: RefusalBody, words: Words['frame']['errors']): Html =>
  html`<p>${words.badRequestHelp}</p>
<ul>${Object.entries(body).map(([name, messages]) => html`<li><code>${name}</code>: ${[messages].flat().join(' ')}</li>`)}</ul>`
