// Settings → Account → Recovery codes: replaces them, after asking for the password. The new codes are shown only once.
import { z } from 'zod'
import { html } from '../http/html.ts'
import { definePage, redirectTo, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm } from '../parts/form.ts'
import { copyable } from '../parts/notice.ts'
import { sent } from './account-fields.ts'
import { memberOf, type OwnContext } from './member.ts'
import { type FormState, framedAccount, presentPasswordField, refusalOfChange } from './own-change.ts'

const PATH = '/settings/account/recovery-codes'

const renewPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  handle: (context) => renewView(context, {}),
})

const renewAction = definePage({
  method: 'POST',
  path: PATH,
  access: 'user',
  form: () => z.object({ present: sent }),
  async handle(context) {
    const { form, services, words } = context
    const password = form.ok ? form.values.present : ''
    const renewed = await services.accounts.ownFactors.renewRecoveryCodes(memberOf(context), password)
    return renewed.ok
      ? codesView(context, words.security.recovery.codesTitle, renewed.value)
      : await renewView(context, refusalOfChange(renewed, context))
  },
})

export const recoveryCodesPages = [renewPage, renewAction]

async function renewView(
  context: OwnContext,
  { messages = {}, note, status, headers }: FormState,
): Promise<View | ReturnType<typeof redirectTo>> {
  const { frame, security } = context.words
  const { hasApp, passkeys } = await context.services.accounts.secondFactor.describe(context.viewer.userId)
  // Without a second factor there is nothing to recover.
  if (!hasApp && passkeys === 0) return redirectTo('/settings/account')
  const body = html`${presentPasswordField(context, messages)}
${actions(button(security.recovery.submit), buttonLink(frame.cancel, '/settings/account'))}`
  const content = html`${note}<p class="measure">${security.recovery.help}</p>${postForm(context, { action: PATH, body })}`
  return framedAccount(context, security.recovery.renew, { content, status, headers })
}

/** The only page that ever shows them. */
export function codesView(context: OwnContext, title: string, codes: readonly string[]): View {
  const { frame, accounts } = context.words
  const { factor } = accounts
  const content = html`<p class="measure">${factor.codesHelp}</p>
<div class="once">${copyable(codes.join('\n'), frame, factor.codesLabel)}</div>
<p>${buttonLink(factor.done, '/settings/account', 'primary')}</p>`
  return framedAccount(context, title, { content })
}
