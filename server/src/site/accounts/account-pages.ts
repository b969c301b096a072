// Settings → Account: the password, second factors, sessions, and recent security events.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Factors } from '../../accounts/second-factor.ts'
import type { SessionRecord } from '../../accounts/sessions.ts'
import type { AuditReader } from '../../audit/audit-log.ts'
import type { FieldMessages } from '../../errors.ts'
import type { Oidc } from '../../oidc/oidc.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { showPast } from '../parts/formats.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  currentPasswordField,
  type FormState,
  memberOf,
  newPasswordFields,
  passwordRule,
  refusalOfChange,
  repeatRule,
  type SignedInContext,
  textInput,
  weakPasswordMessages,
} from './account-forms.ts'
import { identitySection } from './identity-forms.ts'
import { startSessionAndRedirect } from './login-pages.ts'
import { recentActivity } from './security-event-pages.ts'

export interface AccountPagesParts {
  accounts: Accounts
  audit: AuditReader
  oidc: Oidc | undefined
}

const AccountQuery = z.object({
  done: z.enum(['password', 'session', 'factor', 'connected', 'disconnected']).optional().catch(undefined),
})

const accountPage = ({ accounts, audit, oidc }: AccountPagesParts) =>
  definePage({
    method: 'GET',
    path: '/settings/account',
    access: 'user',
    query: AccountQuery,
    handle(context) {
      const { account, factor, identity } = context.words.accounts
      const doneMessages = {
        password: account.changed,
        session: account.ended,
        factor: factor.switchedOff,
        connected: identity.nowConnected,
        disconnected: identity.nowDisconnected,
      }
      const { done } = context.query
      return accountView({ accounts, audit, oidc }, context, done ? { note: notice('good', doneMessages[done]) } : {})
    },
  })

const passwordFields = (words: Words) =>
  z
    .object({ present: textInput, password: passwordRule(words), repeat: textInput })
    .refine(...repeatRule(words.accounts))

const passwordAction = (parts: AccountPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/account/password',
    access: 'user',
    form: passwordFields,
    async handle(context) {
      const { form, words } = context
      if (!form.ok) return accountView(parts, context, { messages: form.messages, status: 400 })
      const { present, password } = form.values
      try {
        const changed = await parts.accounts.ownAccount.changePassword(memberOf(context), {
          current: present,
          next: password,
        })
        if (changed.ok) return startSessionAndRedirect(context, changed.value, '/settings/account?done=password')
        return accountView(parts, context, refusalOfChange(changed, context))
      } catch (error) {
        return accountView(parts, context, {
          messages: weakPasswordMessages(error, words),
          status: 400,
        })
      }
    },
  })

const endSessionAction = ({ accounts }: AccountPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/account/sessions/:sessionId/end',
    access: 'user',
    stepUp: '/settings/account',
    async handle(context) {
      const { params } = context
      await accounts.sessions.endElsewhere(memberOf(context), params['sessionId'] ?? '')
      return redirectTo('/settings/account?done=session')
    },
  })

const endAllAction = ({ accounts }: AccountPagesParts) =>
  definePage({
    method: 'POST',
    path: '/settings/account/sign-out-everywhere',
    access: 'user',
    stepUp: '/settings/account',
    async handle(context) {
      await accounts.sessions.endAll(memberOf(context))
      context.endSession()
      return redirectTo('/login?done=signed-out')
    },
  })

export const accountPages = (parts: AccountPagesParts): Page[] => [
  accountPage(parts),
  passwordAction(parts),
  endSessionAction(parts),
  endAllAction(parts),
]

export async function accountView(parts: AccountPagesParts, context: SignedInContext, form: FormState): Promise<View> {
  const { viewer, words } = context
  const { messages = {}, note, status, headers } = form
  const { account, factor } = words.accounts
  const { sessions, secondFactor, identities } = parts.accounts
  const [list, factors, activity, { issuers, hasPassword }] = await Promise.all([
    sessions.list(viewer.userId),
    secondFactor.describe(viewer.userId),
    recentActivity(parts, context),
    identities.describe(viewer.userId),
  ])
  const content = html`${note}${activity.news}
<p>${account.signedInAs({ username: viewer.username })}${viewer.isAdmin && ` ${account.administrator}`}</p>
<section class="stack"><h2>${account.passwordTitle}</h2>${hasPassword ? passwordForm(context, messages) : html`<p class="measure">${words.accounts.identity.noPassword}</p>`}</section>${identitySection(parts.oidc, context, issuers)}
<section class="stack"><h2>${factor.title}</h2>${factorSummary(context, factors)}</section>
<section class="stack"><h2>${account.sessionsTitle}</h2><p class="measure">${account.sessionsHelp}</p>
${sessionsTable(context, list)}
${postForm(context, { action: '/settings/account/sign-out-everywhere', body: button(account.endAll, 'danger'), isInline: true })}</section>
${activity.section}
<section class="stack"><h2>${words.people.data.title}</h2><p class="measure">${words.people.data.help}</p>
<p>${buttonLink(words.people.data.open, '/settings/account/data')}</p></section>`
  return settingsView(context, '/settings/account', { title: account.title, content, status, headers })
}

function passwordForm(context: SignedInContext, messages: FieldMessages): Html {
  const { accounts } = context.words
  const present = currentPasswordField(context, messages)
  const body = html`<input type="text" name="username" value="${context.viewer.username}" autocomplete="username" hidden>
${present}${newPasswordFields(accounts, messages)}
<p class="help">${accounts.account.changeHelp}</p>
${actions(button(accounts.account.change, 'plain'))}`
  return postForm(context, { action: '/settings/account/password', body })
}

function factorSummary({ words }: SignedInContext, { hasApp, passkeys, recoveryCodesLeft }: Factors): Html {
  const { factor } = words.accounts
  const { factorState, recovery, passkeys: passkeyWords } = words.security
  const appPath = '/settings/account/second-factor'
  if (!hasApp && passkeys === 0) {
    return html`<p class="measure">${factorState.noneOff}</p>
${actions(buttonLink(factor.begin, appPath), buttonLink(passkeyWords.add, '/settings/account/passkeys/new'))}`
  }
  const row = (label: string, state: string, link: Html) => html`<dt>${label}</dt><dd>${state} ${link}</dd>`
  const link = (path: string, label: string) => html`<a href="${path}">${label}</a>`
  return html`<dl class="facts">
${row(factorState.app, hasApp ? factorState.appOn : factorState.appOff, link(appPath, hasApp ? factorState.appEnd : factorState.appBegin))}
${row(passkeyWords.title, passkeys === 0 ? passkeyWords.empty : passkeyWords.count({ count: passkeys }), link('/settings/account/passkeys', passkeyWords.manage))}
${row(recovery.title, factorState.codesLeft({ left: recoveryCodesLeft }), link('/settings/account/recovery-codes', recovery.renew))}
</dl>`
}

function sessionsTable(context: SignedInContext, sessions: SessionRecord[]): Html {
  const { account, keys } = context.words.accounts
  const endForm = (id: string) =>
    postForm(context, {
      action: `/settings/account/sessions/${id}/end`,
      body: button(account.end, 'plain'),
      isInline: true,
    })
  const isHere = (id: string) => id === context.viewer.sessionId
  return dataTable(
    account.sessionsTitle,
    [
      {
        label: account.browser,
        isHeading: true,
        cell: ({ id, browser }) =>
          html`<span>${browser || account.unknownBrowser}${isHere(id) && html` <span class="quiet">(${account.thisBrowser})</span>`}</span>`,
      },
      { label: account.signedInAt, cell: ({ createdAt }) => showPast(createdAt, context) },
      { label: account.lastSeen, cell: ({ lastSeenAt }) => showPast(lastSeenAt, context) },
      { label: keys.actions, cell: ({ id }) => (isHere(id) ? '' : endForm(id)) },
    ],
    sessions,
  )
}
