// Settings → Account: the password, where one is signed in, and the way to the second factor.
import { z } from 'zod'
import type { OwnChange } from '../../access/own-account.ts'
import type { SessionRecord } from '../../access/sessions.ts'
import type { FieldMessages } from '../../errors.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { Viewer } from '../site-services.ts'
import { newPasswordFields, passwordRule, repeatRule, sent } from './account-fields.ts'
import { enterSite } from './after-sign-in.ts'
import { tooMany } from './login-pages.ts'
import { showPast } from './moments.ts'

type OwnVisit = Visit<unknown, unknown, Viewer>

const accountPage = definePage({
  method: 'GET',
  path: '/settings/account',
  access: 'user',
  query: z.object({ done: z.enum(['password', 'session', 'factor']).optional().catch(undefined) }),
  handle(visit) {
    const { account, factor } = visit.words.accounts
    const told = { password: account.changed, session: account.ended, factor: factor.switchedOff }
    const { done } = visit.query
    return accountView(visit, done ? { note: notice('good', told[done]) } : {})
  },
})

const passwordAction = definePage({
  method: 'POST',
  path: '/settings/account/password',
  access: 'user',
  form: ({ accounts }) =>
    z.object({ present: sent, password: passwordRule(accounts), repeat: sent }).refine(...repeatRule(accounts)),
  async handle(visit) {
    const { form, viewer, userAgent, services } = visit
    if (!form.ok) return accountView(visit, { messages: form.messages, status: 400 })
    const { present, password } = form.values
    const change = { present, next: password, userAgent }
    const changed = await services.accounts.ownAccount.changePassword(viewer.userId, change)
    if (changed.ok) return enterSite(visit, changed.value, '/settings/account?done=password')
    return accountView(visit, refusalOfChange(changed, visit))
  },
})

const endSessionAction = definePage({
  method: 'POST',
  path: '/settings/account/sessions/:sessionId/end',
  access: 'user',
  async handle({ viewer, params, services }) {
    await services.accounts.sessions.endOne(viewer.userId, params['sessionId'] ?? '')
    return redirectTo('/settings/account?done=session')
  },
})

const endAllAction = definePage({
  method: 'POST',
  path: '/settings/account/sign-out-everywhere',
  access: 'user',
  async handle({ viewer, services, endSession }) {
    await services.accounts.sessions.endAll(viewer.userId)
    endSession()
    return redirectTo('/login?done=signed-out')
  },
})

export const accountPages = [accountPage, passwordAction, endSessionAction, endAllAction]

interface AccountParts {
  messages?: FieldMessages
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

/** What is wrong with a change of one's own, beside the field that it is about. */
export function refusalOfChange(
  refused: Extract<OwnChange<unknown>, { ok: false }>,
  { words: { accounts } }: Pick<Visit, 'words'>,
): AccountParts {
  if (refused.reason === 'wait') return tooMany(refused.retryAfterSeconds, accounts.wait)
  const tell = {
    password: { status: 403, messages: { present: [accounts.account.wrongPassword] } },
    code: { status: 403, messages: { code: [accounts.factor.wrongCode] } },
    same: { status: 400, messages: { password: [accounts.samePassword] } },
  }
  return tell[refused.reason]
}

async function accountView(visit: OwnVisit, parts: AccountParts): Promise<View> {
  const { viewer, services, words } = visit
  const { messages = {}, note, status = 200, headers = {} } = parts
  const { account, factor } = words.accounts
  const { sessions, secondFactor } = services.accounts
  const [list, state] = await Promise.all([sessions.list(viewer.userId), secondFactor.describe(viewer.userId)])
  const content = html`${note}
<p>${account.signedInAs(viewer.username)}${viewer.isAdmin && ` ${account.administrator}`}</p>
<section class="stack"><h2>${account.passwordTitle}</h2>${passwordForm(visit, messages)}</section>
<section class="stack"><h2>${factor.title}</h2>
<p class="measure">${state ? factor.on(state.recoveryCodesLeft) : factor.off}</p>
<p>${buttonLink(state ? factor.switchOff : factor.begin, '/settings/account/second-factor')}</p></section>
<section class="stack"><h2>${account.sessionsTitle}</h2><p class="measure">${account.sessionsHelp}</p>
${sessionsTable(visit, list)}
${postForm(visit, { action: '/settings/account/sign-out-everywhere', body: button(account.endAll, 'danger'), isInline: true })}</section>`
  const body = settingsFrame(visit, '/settings/account', { title: account.title, content })
  return { title: account.title, body, layout: 'wide', status, headers }
}

function passwordForm(visit: OwnVisit, messages: FieldMessages): Html {
  const { accounts } = visit.words
  const present = presentPasswordField(visit, messages)
  const body = html`<input type="text" name="username" value="${visit.viewer.username}" autocomplete="username" hidden>
${present}${newPasswordFields(accounts, messages)}
<p class="help">${accounts.account.changeHelp}</p>
${actions(button(accounts.account.change, 'plain'))}`
  return postForm(visit, { action: '/settings/account/password', body })
}

export const presentPasswordField = ({ words: { accounts } }: Pick<Visit, 'words'>, messages: FieldMessages): Html =>
  textField({
    name: 'present',
    type: 'password',
    label: accounts.account.present,
    errors: messages['present'],
    autocomplete: 'current-password',
  })

function sessionsTable(visit: OwnVisit, sessions: SessionRecord[]): Html {
  const { account, keys } = visit.words.accounts
  const endForm = (id: string) =>
    postForm(visit, {
      action: `/settings/account/sessions/${id}/end`,
      body: button(account.end, 'plain'),
      isInline: true,
    })
  const isHere = (id: string) => id === visit.viewer.sessionId
  return dataTable(
    account.sessionsTitle,
    [
      {
        label: account.browser,
        isHeading: true,
        cell: ({ id, browser }) =>
          html`<span>${browser || account.unknownBrowser}${isHere(id) && html` <span class="quiet">(${account.thisBrowser})</span>`}</span>`,
      },
      { label: account.signedInAt, cell: ({ createdAt }) => showPast(createdAt, visit) },
      { label: account.lastSeen, cell: ({ lastSeenAt }) => showPast(lastSeenAt, visit) },
      { label: keys.actions, cell: ({ id }) => (isHere(id) ? '' : endForm(id)) },
    ],
    sessions,
  )
}
