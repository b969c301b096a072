// Connecting a program by OAuth: it sends the browser to the first of these pages, a signed-in person decides on the
// second, and the third sends the browser back. Consent creates an API key, so it asks for the password or a passkey as
// creating any other does.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { ErrorCode } from '../../errors.ts'
import { MINE_SCOPE } from '../../keys/scopes.ts'
import type { Oauth, OauthStep } from '../../oauth/oauth.ts'
import { isLoopback, redirectHost } from '../../oauth/oauth-clients.ts'
import { OAUTH_SCOPES } from '../../oauth/oauth-metadata.ts'
import type { ConsentRequest } from '../../oauth/oauth-server.ts'
import { AUTHORIZE_PATH, CONSENT_PATH } from '../../text/mcp-paths.ts'
import { PageError } from '../http/error-pages.ts'
import { html } from '../http/html.ts'
import { definePage, type Page, type PageReply, redirectTo, type View } from '../http/page.ts'
import { formLeadsTo } from '../http/send-page.ts'
import { actions, choiceField, postForm } from '../parts/form.ts'
import type { PageReading } from '../reading/read-page.ts'
import { actingAccess, type FormState, narrowView, type SignedInContext } from './account-forms.ts'
import { isScopeAvailable, orRefusal } from './key-pages.ts'

export interface OauthPagesParts {
  accounts: Accounts
  areUrlKeysOn: boolean
  /** undefined: nobody can connect a program by OAuth. */
  oauth: Oauth | undefined
  reading: PageReading | undefined
}

/** What clients send; the library reads it. */
const AUTHORIZE_FIELDS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
  'prompt',
] as const
const ID = /^[\w-]{16,64}$/

type OauthScope = (typeof OAUTH_SCOPES)[number]

const AuthorizeQuery = z.object(Object.fromEntries(AUTHORIZE_FIELDS.map((name) => [name, z.unknown().optional()])))

const authorizePage = ({ oauth }: OauthPagesParts) =>
  definePage({
    method: 'GET',
    path: AUTHORIZE_PATH,
    access: 'user',
    query: AuthorizeQuery,
    async handle(context) {
      const query = context.address.slice(context.path.length + 1)
      return toReply(context, await oauthOf(oauth).authorize(query))
    },
  })

const resumePage = ({ oauth }: OauthPagesParts) =>
  definePage({
    method: 'GET',
    path: `${AUTHORIZE_PATH}/:requestId`,
    access: 'user',
    async handle(context) {
      const step = await oauthOf(oauth).resume(idOf(context), context.viewer.userId)
      return step ? toReply(context, step) : expiredView(context)
    },
  })

const consentPage = ({ areUrlKeysOn, oauth, reading }: OauthPagesParts) =>
  definePage({
    method: 'GET',
    path: CONSENT_PATH,
    access: 'user',
    stepUp: CONSENT_PATH,
    async handle(context) {
      const request = await oauthOf(oauth).findConsentRequest(idOf(context))
      return request && !request.decision
        ? consentView({ areUrlKeysOn, reading }, context, request)
        : expiredView(context)
    },
  })

const consentForm = () =>
  z.object({
    decision: z.enum(['allow', 'deny']).catch('deny'),
    scopes: z.preprocess((value) => [value ?? []].flat(), z.array(z.string())).catch([]),
  })

const consentAction = (parts: OauthPagesParts) =>
  definePage({
    method: 'POST',
    path: CONSENT_PATH,
    access: 'user',
    stepUp: CONSENT_PATH,
    form: consentForm,
    async handle(context) {
      const { form, viewer } = context
      const { decision, scopes } = form.ok ? form.values : { decision: 'deny', scopes: [] as string[] }
      const oauth = oauthOf(parts.oauth)
      const id = idOf(context)
      const request = await oauth.findConsentRequest(id)
      if (!request || request.decision) return expiredView(context)
      if (decision === 'deny') {
        await oauth.deny(id)
        return redirectTo(`${AUTHORIZE_PATH}/${id}`)
      }
      const chosen = offeredScopes(parts, context, request).filter((scope) => scopes.includes(scope))
      if (chosen.length === 0) {
        const messages = { scopes: [context.words.accounts.keys.noScope] }
        return consentView(parts, context, request, { messages, status: 400 })
      }
      const consent = { userId: viewer.userId, scopes: chosen }
      const refused = await orRefusal(context, oauth.allow(actingAccess(parts.accounts, context), id, consent))
      return refused ? consentView(parts, context, request, refused) : redirectTo(`${AUTHORIZE_PATH}/${id}`)
    },
  })

export const oauthPages = (parts: OauthPagesParts): Page[] => [
  authorizePage(parts),
  resumePage(parts),
  consentPage(parts),
  consentAction(parts),
]

function oauthOf(oauth: Oauth | undefined): Oauth {
  if (!oauth) throw new PageError('notFound')
  return oauth
}

function idOf({ params }: SignedInContext): string {
  const id = params['requestId'] ?? ''
  if (!ID.test(id)) throw new PageError('notFound')
  return id
}

/** Of what the client asked for, what this instance has. */
const offeredScopes = (
  parts: Pick<OauthPagesParts, 'areUrlKeysOn' | 'reading'>,
  context: SignedInContext,
  { scopes }: ConsentRequest,
): OauthScope[] => OAUTH_SCOPES.filter((scope) => scopes.includes(scope) && isScopeAvailable(parts, scope, context))

function consentView(
  parts: Pick<OauthPagesParts, 'areUrlKeysOn' | 'reading'>,
  context: SignedInContext,
  request: ConsentRequest,
  form: FormState = {},
): View {
  const { oauth: words, keys } = context.words.accounts
  const { name, redirect } = request
  const url = URL.parse(redirect)
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname)
  const ticks = choiceField({
    name: 'scopes',
    type: 'checkbox',
    label: keys.scopes,
    errors: form.messages?.['scopes'],
    // A program that is given the web shouldn't find its person's own things unless they say so.
    options: offeredScopes(parts, context, request).map((scope) => ({
      value: scope,
      label: keys.scopeNames[scope],
      isChosen: scope !== MINE_SCOPE,
    })),
  })
  const decide = actions(
    html`<button type="submit" class="button button-primary" name="decision" value="allow">${words.allow}</button>`,
    html`<button type="submit" class="button button-plain" name="decision" value="deny">${words.deny}</button>`,
  )
  const content = html`<p>${words.intro}</p>
<p>${words.name} <bdi>${name}</bdi></p>
<p>${words.goesTo} <strong>${redirectHost(redirect)}</strong></p>
<p>${isLocal ? words.local : words.check}</p>
${postForm(context, { action: context.path, body: html`${ticks}${decide}` })}`
  const headers = { ...form.headers, ...formLeadsTo(redirect) }
  return narrowView({ title: words.title, content }, { ...form, headers })
}

function expiredView({ words }: SignedInContext): View {
  const { expiredTitle: title, expiredHelp } = words.accounts.oauth
  const form = { status: 404, headers: { 'Error-Code': 'not_found' satisfies ErrorCode } }
  return narrowView({ title, content: html`<p>${expiredHelp}</p>` }, form)
}

function toReply({ words }: SignedInContext, step: OauthStep): PageReply {
  if ('fault' in step) {
    const { badTitle: title, badHelp } = words.accounts.oauth
    const content = html`<p>${badHelp}</p><p><code lang="en">${step.fault}</code></p>`
    const form = { status: 400, headers: { 'Error-Code': 'parameter_invalid' satisfies ErrorCode } }
    return narrowView({ title, content }, form)
  }
  // On to the client, or to the page for consent.
  const headers = { Location: step.location }
  return { status: 303, contentType: 'text/plain; charset=utf-8', content: '', headers }
}
