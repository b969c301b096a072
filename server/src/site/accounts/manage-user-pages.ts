// Administration → Users → one user: access, role, forgotten password. Each is a one-button form, and all of them
// require the administrator to confirm their identity first; refusals by the services (the last administrator) are
// shown on the same page.
import { z } from 'zod'
import { isSecondFactorOn } from '../../accounts/second-factor.ts'
import { disableUser, enableUser, findUser, resetPassword, setAdmin, type UserRecord } from '../../accounts/users.ts'
import { Refusal } from '../../errors.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import { definePage, redirectTo, type View } from '../http/page.ts'
import { button, checkbox, postForm } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { sent } from './account-fields.ts'
import { actingAccess } from './member.ts'
import { nameDay } from './moments.ts'
import { type AdminContext, framedUsers, handOverView, stateOfUser } from './user-pages.ts'

const PATH = '/admin/users/:username/manage'

const DONE = ['disabled', 'enabled', 'admin', 'user'] as const

const userPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'admin',
  stepUp: PATH,
  query: z.object({ done: z.enum(DONE).optional().catch(undefined) }),
  async handle(context) {
    const user = await userOf(context)
    const { nowDisabled, nowEnabled, nowAdmin, nowUser } = context.words.accounts.users
    const tell = { disabled: nowDisabled, enabled: nowEnabled, admin: nowAdmin, user: nowUser }
    const { done } = context.query
    return await userView(context, user, { note: done && notice('good', tell[done](user.username)) })
  },
})

type Change = (access: AdminContext['services']['accounts']['access'], username: string) => Promise<UserRecord>

/** Defines a one-button change, after which the user's page says what was done. */
const changeAction = (verb: string, done: (typeof DONE)[number], change: Change) =>
  definePage({
    method: 'POST',
    path: `/admin/users/:username/${verb}`,
    access: 'admin',
    stepUp: PATH,
    async handle(context) {
      const user = await userOf(context)
      try {
        await change(actingAccess(context), user.username)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return await userView(context, user, {
          note: notice('bad', context.words.accounts.users.lastAdmin),
          status: 409,
        })
      }
      return redirectTo(`/admin/users/${user.username}/manage?done=${done}`)
    },
  })

const resetAction = definePage({
  method: 'POST',
  path: '/admin/users/:username/reset',
  access: 'admin',
  stepUp: PATH,
  form: () => z.object({ factor: sent }),
  async handle(context) {
    const { form, words } = context
    const { username } = await userOf(context)
    const withSecondFactor = form.ok && form.values.factor === 'on'
    const reset = await resetPassword(actingAccess(context), username, { withSecondFactor })
    return handOverView(context, reset, words.accounts.users.resetTitle(username))
  },
})

export const manageUserPages = [
  userPage,
  changeAction('disable', 'disabled', disableUser),
  changeAction('enable', 'enabled', enableUser),
  changeAction('make-admin', 'admin', (access, username) => setAdmin(access, username, true)),
  changeAction('remove-admin', 'user', (access, username) => setAdmin(access, username, false)),
  resetAction,
]

async function userOf({ params, services }: AdminContext): Promise<UserRecord> {
  const user = await findUser(services.accounts.access, params['username'] ?? '')
  if (!user) throw new PageError('notFound')
  return user
}

interface UserParts {
  note?: Piece
  status?: number
}

async function userView(context: AdminContext, user: UserRecord, { note, status = 200 }: UserParts): Promise<View> {
  const words = context.words.accounts.users
  const hasFactor = await isSecondFactorOn(context.services.accounts.access.db, user.id)
  const facts = html`<dl class="facts"><dt>${words.state}</dt><dd>${stateOfUser(user, context)}</dd>
<dt>${words.role}</dt><dd>${user.isAdmin ? words.admin : words.user}</dd>
<dt>${words.created}</dt><dd>${nameDay(user.createdAt, context)}</dd></dl>`
  const content = html`${note}${facts}
${section(words.accessTitle, accessForm(context, user))}
${section(words.roleTitle, roleForm(context, user))}
${section(words.resetSection, resetForm(context, user, hasFactor))}
<p><a href="/admin/users">${words.backToUsers}</a></p>`
  return framedUsers(context, user.username, { content, status })
}

const section = (title: string, content: Html): Html =>
  html`<section class="stack"><h2>${title}</h2>${content}</section>`

function accessForm(context: AdminContext, { username, disabledAt }: UserRecord): Html {
  const { disable, disableHelp, enable, enableHelp } = context.words.accounts.users
  return disabledAt
    ? html`<p class="measure">${enableHelp}</p>${oneButton(context, `${username}/enable`, button(enable, 'plain'))}`
    : html`<p class="measure">${disableHelp}</p>${oneButton(context, `${username}/disable`, button(disable, 'danger'))}`
}

function roleForm(context: AdminContext, { username, isAdmin }: UserRecord): Html {
  const { makeAdmin, makeAdminHelp, removeAdmin } = context.words.accounts.users
  return isAdmin
    ? oneButton(context, `${username}/remove-admin`, button(removeAdmin, 'plain'))
    : html`<p class="measure">${makeAdminHelp}</p>${oneButton(context, `${username}/make-admin`, button(makeAdmin, 'plain'))}`
}

function resetForm(context: AdminContext, { username }: UserRecord, hasFactor: boolean): Html {
  const { resetHelp, resetFactor, resetFactorHelp, reset } = context.words.accounts.users
  const lost = hasFactor && checkbox({ name: 'factor', label: resetFactor, help: resetFactorHelp, isChosen: false })
  return html`<p class="measure">${resetHelp}</p>${oneButton(context, `${username}/reset`, html`${lost}<div>${button(reset, 'plain')}</div>`)}`
}

const oneButton = (context: AdminContext, action: string, body: Html): Html =>
  postForm(context, { action: `/admin/users/${action}`, body: html`<div>${body}</div>` })
