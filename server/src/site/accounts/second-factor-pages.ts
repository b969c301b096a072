// Settings → Account → Second factor: turns codes from an app on (with the password and a first code) or off (with
// both). The secret is shown once, right after the password was entered. Users who must have a second factor are
// redirected here. Recovery codes come with the first factor and can be replaced; they too are shown only once.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { Enrolment } from '../../accounts/totp.ts'
import type { FieldMessages } from '../../errors.ts'
import { Html, html } from '../http/html.ts'
import { definePage, type Page, type Redirect, redirectTo, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { copyable, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  currentPasswordField,
  type FormState,
  memberOf,
  refusalOfChange,
  type SignedInContext,
  textInput,
} from './account-forms.ts'

export interface SecondFactorPagesParts {
  accounts: Accounts
}

const PATH = '/settings/account/second-factor'
const RECOVERY_PATH = '/settings/account/recovery-codes'

const factorPage = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    duringEnrolment: true,
    handle: (context) => factorView(accounts, context, {}),
  })

const beginForm = () => z.object({ present: textInput })

const beginAction = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'POST',
    path: PATH,
    access: 'user',
    duringEnrolment: true,
    form: beginForm,
    async handle(context) {
      const { viewer, form } = context
      if ((await accounts.secondFactor.describe(viewer.userId)).hasApp) return redirectTo(PATH)
      const issuer = `Bowerbird ${new URL(context.baseUrl).hostname}`
      const { beginApp } = accounts.ownFactors
      const begun = await beginApp({ ...memberOf(context), issuer }, form.ok ? form.values.present : '')
      return begun.ok
        ? enrolmentView(context, begun.value, {})
        : factorView(accounts, context, refusalOfChange(begun, context))
    },
  })

const confirmForm = () => z.object({ code: textInput })

const confirmAction = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/confirm`,
    access: 'user',
    duringEnrolment: true,
    form: confirmForm,
    async handle(context) {
      const { form, words } = context
      const code = form.ok ? form.values.code : ''
      const confirmed = await accounts.ownFactors.confirmApp(memberOf(context), code)
      return confirmed.ok
        ? codesView(context, words.accounts.factor.codesTitle, confirmed.value)
        : enrolmentView(context, undefined, refusalOfChange(confirmed, context))
    },
  })

const offForm = () => z.object({ present: textInput, code: textInput })

const offAction = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/off`,
    access: 'user',
    form: offForm,
    async handle(context) {
      const { form } = context
      const { present: password, code } = form.ok ? form.values : { present: '', code: '' }
      const off = await accounts.ownFactors.switchOffApp(memberOf(context), { password, code })
      return off.ok
        ? redirectTo('/settings/account?done=factor')
        : factorView(accounts, context, refusalOfChange(off, context))
    },
  })

const renewPage = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'GET',
    path: RECOVERY_PATH,
    access: 'user',
    handle: (context) => renewView(accounts, context, {}),
  })

const renewForm = () => z.object({ present: textInput })

const renewAction = ({ accounts }: SecondFactorPagesParts) =>
  definePage({
    method: 'POST',
    path: RECOVERY_PATH,
    access: 'user',
    form: renewForm,
    async handle(context) {
      const { form, words } = context
      const password = form.ok ? form.values.present : ''
      const renewed = await accounts.ownFactors.renewRecoveryCodes(memberOf(context), password)
      return renewed.ok
        ? codesView(context, words.security.recovery.codesTitle, renewed.value)
        : await renewView(accounts, context, refusalOfChange(renewed, context))
    },
  })

export const secondFactorPages = (parts: SecondFactorPagesParts): Page[] => [
  factorPage(parts),
  beginAction(parts),
  confirmAction(parts),
  offAction(parts),
  renewPage(parts),
  renewAction(parts),
]

/** The form that turns the app on or off. */
async function factorView(
  accounts: Accounts,
  context: SignedInContext,
  { messages = {}, note, status, headers }: FormState,
): Promise<View> {
  const { frame, security } = context.words
  const { factor, signIn } = context.words.accounts
  const { viewer } = context
  const { hasApp, recoveryCodesLeft } = await accounts.secondFactor.describe(viewer.userId)
  // A user who must set up a second factor can't open the page that this link leads to.
  const back = !viewer.mustEnrol && buttonLink(frame.cancel, '/settings/account')
  const present = currentPasswordField(context, messages)
  const form = hasApp
    ? postForm(context, {
        action: `${PATH}/off`,
        body: html`${present}${codeField(context, messages, signIn.codeHelp)}${actions(button(factor.switchOff, 'danger'), back)}`,
      })
    : postForm(context, { action: PATH, body: html`${present}${actions(button(signIn.continue), back)}` })
  const title = hasApp ? factor.switchOff : viewer.mustEnrol ? security.required.title : factor.setupTitle
  const text = hasApp ? factor.on({ left: recoveryCodesLeft }) : factor.off
  const content = html`${viewer.mustEnrol && notice('partial', security.required.help)}${note}<p class="measure">${text}</p>${form}
${viewer.mustEnrol && html`<p><a href="/settings/account/passkeys/new">${security.required.passkeyInstead}</a></p>`}`
  return settingsView(context, '/settings/account', { title, content, status, headers })
}

/** After a wrong code, shows only the code field: the app already has the secret. */
function enrolmentView(
  context: SignedInContext,
  enrolment: Enrolment | undefined,
  { messages = {}, note, status, headers }: FormState,
): View {
  const { accounts, frame } = context.words
  const { factor } = accounts
  const form = postForm(context, {
    action: `${PATH}/confirm`,
    body: html`${codeField(context, messages, factor.codeHelp)}
${actions(button(factor.confirm), buttonLink(enrolment ? frame.cancel : accounts.signIn.startOver, enrolment ? '/settings/account' : PATH))}`,
  })
  // Safe as markup: one path, written by our own encoder.
  const picture = enrolment && new Html(enrolment.qrSvg)
  const content = html`${note}
${
  enrolment &&
  html`<p class="measure">${factor.scan}</p>
<div class="qr" role="img" aria-label="${factor.qrLabel}">${picture}</div>
<div><p><strong>${factor.key}</strong></p>${copyable(enrolment.secret, frame, factor.key)}</div>`
}
${form}`
  return settingsView(context, '/settings/account', { title: factor.setupTitle, content, status, headers })
}

const codeField = ({ words: { accounts } }: SignedInContext, messages: FieldMessages, help: string): Html =>
  textField({
    name: 'code',
    label: accounts.signIn.code,
    help,
    errors: messages['code'],
    autocomplete: 'one-time-code',
    maxlength: 40,
  })

async function renewView(
  accounts: Accounts,
  context: SignedInContext,
  { messages = {}, note, status, headers }: FormState,
): Promise<View | Redirect> {
  const { frame, security } = context.words
  const { hasApp, passkeys } = await accounts.secondFactor.describe(context.viewer.userId)
  // Without a second factor there is nothing to recover.
  if (!hasApp && passkeys === 0) return redirectTo('/settings/account')
  const body = html`${currentPasswordField(context, messages)}
${actions(button(security.recovery.submit), buttonLink(frame.cancel, '/settings/account'))}`
  const content = html`${note}<p class="measure">${security.recovery.help}</p>${postForm(context, { action: RECOVERY_PATH, body })}`
  return settingsView(context, '/settings/account', { title: security.recovery.renew, content, status, headers })
}

/** The only page that ever shows the recovery codes. */
export function codesView(context: SignedInContext, title: string, codes: readonly string[]): View {
  const { frame, accounts } = context.words
  const { factor } = accounts
  const content = html`<p class="measure">${factor.codesHelp}</p>
<div class="once">${copyable(codes.join('\n'), frame, factor.codesLabel)}</div>
<p>${buttonLink(factor.done, '/settings/account', 'primary')}</p>`
  return settingsView(context, '/settings/account', { title, content })
}
