// Settings → Account → Second factor: on with the password and a first code, off with both. The secret is in one answer,
// to whoever has just typed the password, and the recovery codes are in one: neither is shown again.
import { z } from 'zod'
import type { Enrolment } from '../../accounts/totp.ts'
import type { FieldMessages } from '../../errors.ts'
import { Html, html, type Piece } from '../http/html.ts'
import { definePage, redirectTo, type View, type Visit } from '../http/page.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { copyable } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { Viewer } from '../site-services.ts'
import { sent } from './account-fields.ts'
import { presentPasswordField, refusalOfChange } from './account-pages.ts'

type OwnVisit = Visit<unknown, unknown, Viewer>

interface FormState {
  messages?: FieldMessages
  note?: Piece
  status?: number
  headers?: Record<string, string>
}

const PATH = '/settings/account/second-factor'
const NOT_KEPT = { 'Cache-Control': 'no-store' }

const factorPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  handle: (visit) => factorView(visit, {}),
})

const beginAction = definePage({
  method: 'POST',
  path: PATH,
  access: 'user',
  form: () => z.object({ present: sent }),
  async handle(visit) {
    const { viewer, services, form } = visit
    if (await services.accounts.secondFactor.describe(viewer.userId)) return redirectTo(PATH)
    const issuer = `Bowerbird ${new URL(visit.baseUrl).hostname}`
    const names = { userId: viewer.userId, username: viewer.username, issuer }
    const begun = await services.accounts.ownAccount.beginSecondFactor(names, form.ok ? form.values.present : '')
    return begun.ok ? enrolmentView(visit, begun.value, {}) : factorView(visit, refusalOfChange(begun, visit))
  },
})

const confirmAction = definePage({
  method: 'POST',
  path: `${PATH}/confirm`,
  access: 'user',
  form: () => z.object({ code: sent }),
  async handle(visit) {
    const { viewer, services, form } = visit
    const code = form.ok ? form.values.code : ''
    const confirmed = await services.accounts.ownAccount.confirmSecondFactor(viewer.userId, code)
    return confirmed.ok
      ? codesView(visit, confirmed.value)
      : enrolmentView(visit, undefined, refusalOfChange(confirmed, visit))
  },
})

const offAction = definePage({
  method: 'POST',
  path: `${PATH}/off`,
  access: 'user',
  form: () => z.object({ present: sent, code: sent }),
  async handle(visit) {
    const { viewer, services, form } = visit
    const { present: password, code } = form.ok ? form.values : { present: '', code: '' }
    const off = await services.accounts.ownAccount.switchOffSecondFactor(viewer.userId, { password, code })
    return off.ok ? redirectTo('/settings/account?done=factor') : factorView(visit, refusalOfChange(off, visit))
  },
})

export const secondFactorPages = [factorPage, beginAction, confirmAction, offAction]

/** The form that switches it on, or off. */
async function factorView(
  visit: OwnVisit,
  { messages = {}, note, status = 200, headers = {} }: FormState,
): Promise<View> {
  const { accounts, frame } = visit.words
  const { factor } = accounts
  const state = await visit.services.accounts.secondFactor.describe(visit.viewer.userId)
  const back = buttonLink(frame.cancel, '/settings/account')
  const present = presentPasswordField(visit, messages)
  const form = state
    ? postForm(visit, {
        action: `${PATH}/off`,
        body: html`${present}${codeField(visit, messages, accounts.signIn.codeHelp)}${actions(button(factor.switchOff, 'danger'), back)}`,
      })
    : postForm(visit, { action: PATH, body: html`${present}${actions(button(accounts.signIn.continue), back)}` })
  const title = state ? factor.switchOff : factor.setupTitle
  const text = state ? factor.on(state.recoveryCodesLeft) : factor.off
  return framed(visit, title, { content: html`${note}<p class="measure">${text}</p>${form}`, status, headers })
}

/** After a wrong code there is only the field: the app has the secret already. */
function enrolmentView(
  visit: OwnVisit,
  enrolment: Enrolment | undefined,
  { messages = {}, note, status = 200, headers = {} }: FormState,
): View {
  const { accounts, frame } = visit.words
  const { factor } = accounts
  const form = postForm(visit, {
    action: `${PATH}/confirm`,
    body: html`${codeField(visit, messages, factor.codeHelp)}
${actions(button(factor.confirm), buttonLink(enrolment ? frame.cancel : accounts.signIn.startOver, enrolment ? '/settings/account' : PATH))}`,
  })
  // The picture is one path that our own encoder wrote.
  const picture = enrolment && new Html(enrolment.qrSvg)
  const content = html`${note}
${
  enrolment &&
  html`<p class="measure">${factor.scan}</p>
<div class="qr" role="img" aria-label="${factor.qrLabel}">${picture}</div>
<div><p><strong>${factor.key}</strong></p>${copyable(enrolment.secret, frame, factor.key)}</div>`
}
${form}`
  return framed(visit, factor.setupTitle, { content, status, headers: { ...NOT_KEPT, ...headers } })
}

function codesView(visit: OwnVisit, codes: readonly string[]): View {
  const { frame, accounts } = visit.words
  const { factor } = accounts
  const content = html`<p class="measure">${factor.codesHelp}</p>
${copyable(codes.join('\n'), frame, factor.codesLabel)}
<p>${buttonLink(factor.done, '/settings/account', 'primary')}</p>`
  return framed(visit, factor.codesTitle, { content, headers: NOT_KEPT })
}

const codeField = ({ words: { accounts } }: OwnVisit, messages: FieldMessages, help: string): Html =>
  textField({
    name: 'code',
    label: accounts.signIn.code,
    help,
    errors: messages['code'],
    autocomplete: 'one-time-code',
    maxlength: 40,
  })

interface Framed {
  content: Html
  status?: number
  headers?: Record<string, string>
}

const framed = (visit: OwnVisit, title: string, { content, status = 200, headers = {} }: Framed): View => ({
  title,
  body: settingsFrame(visit, '/settings/account', { title, content }),
  layout: 'wide',
  status,
  headers,
})
