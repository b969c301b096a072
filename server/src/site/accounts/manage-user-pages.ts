// Administration → Users → one user: access, role, forgotten password. Each is a form of one button; what the services
// refuse (the last administrator) is told on the same page.
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
import { nameDay } from './moments.ts'
import { type AdminVisit, framedUsers, handOverView, stateOfUser } from './user-pages.ts'

const DONE = ['disabled', 'enabled', 'admin', 'user'] as const

const userPage = definePage({
  method: 'GET',
  path: '/admin/users/:username/manage',
  access: 'admin',
  query: z.object({ done: z.enum(DONE).optional().catch(undefined) }),
  async handle(visit) {
    const user = await userOf(visit)
    const { nowDisabled, nowEnabled, nowAdmin, nowUser } = visit.words.accounts.users
    const tell = { disabled: nowDisabled, enabled: nowEnabled, admin: nowAdmin, user: nowUser }
    const { done } = visit.query
    return await userView(visit, user, { note: done && notice('good', tell[done](user.username)) })
  },
})

type Change = (access: AdminVisit['services']['accounts']['access'], username: string) => Promise<UserRecord>

/** A change by one button, after which the user's page says what was done. */
const changeAction = (verb: string, done: (typeof DONE)[number], change: Change) =>
  definePage({
    method: 'POST',
    path: `/admin/users/:username/${verb}`,
    access: 'admin',
    async handle(visit) {
      const user = await userOf(visit)
      try {
        await change(visit.services.accounts.access, user.username)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return await userView(visit, user, { note: notice('bad', visit.words.accounts.users.lastAdmin), status: 409 })
      }
      return redirectTo(`/admin/users/${user.username}/manage?done=${done}`)
    },
  })

const resetAction = definePage({
  method: 'POST',
  path: '/admin/users/:username/reset',
  access: 'admin',
  form: () => z.object({ factor: sent }),
  async handle(visit) {
    const { form, services, words } = visit
    const { username } = await userOf(visit)
    const withSecondFactor = form.ok && form.values.factor === 'on'
    const reset = await resetPassword(services.accounts.access, username, { withSecondFactor })
    return handOverView(visit, reset, words.accounts.users.resetTitle(username))
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

async function userOf({ params, services }: AdminVisit): Promise<UserRecord> {
  const user = await findUser(services.accounts.access, params['username'] ?? '')
  if (!user) throw new PageError('notFound')
  return user
}

interface UserParts {
  note?: Piece
  status?: number
}

async function userView(visit: AdminVisit, user: UserRecord, { note, status = 200 }: UserParts): Promise<View> {
  const words = visit.words.accounts.users
  const hasFactor = await isSecondFactorOn(visit.services.accounts.access.db, user.id)
  const facts = html`<dl class="facts"><dt>${words.state}</dt><dd>${stateOfUser(user, visit)}</dd>
<dt>${words.role}</dt><dd>${user.isAdmin ? words.admin : words.user}</dd>
<dt>${words.created}</dt><dd>${nameDay(user.createdAt, visit)}</dd></dl>`
  const content = html`${note}${facts}
${section(words.accessTitle, accessForm(visit, user))}
${section(words.roleTitle, roleForm(visit, user))}
${section(words.resetSection, resetForm(visit, user, hasFactor))}
<p><a href="/admin/users">${words.backToUsers}</a></p>`
  return framedUsers(visit, user.username, { content, status })
}

const section = (title: string, content: Html): Html =>
  html`<section class="stack"><h2>${title}</h2>${content}</section>`

function accessForm(visit: AdminVisit, { username, disabledAt }: UserRecord): Html {
  const { disable, disableHelp, enable, enableHelp } = visit.words.accounts.users
  return disabledAt
    ? html`<p class="measure">${enableHelp}</p>${oneButton(visit, `${username}/enable`, button(enable, 'plain'))}`
    : html`<p class="measure">${disableHelp}</p>${oneButton(visit, `${username}/disable`, button(disable, 'danger'))}`
}

function roleForm(visit: AdminVisit, { username, isAdmin }: UserRecord): Html {
  const { makeAdmin, makeAdminHelp, removeAdmin } = visit.words.accounts.users
  return isAdmin
    ? oneButton(visit, `${username}/remove-admin`, button(removeAdmin, 'plain'))
    : html`<p class="measure">${makeAdminHelp}</p>${oneButton(visit, `${username}/make-admin`, button(makeAdmin, 'plain'))}`
}

function resetForm(visit: AdminVisit, { username }: UserRecord, hasFactor: boolean): Html {
  const { resetHelp, resetFactor, resetFactorHelp, reset } = visit.words.accounts.users
  const lost = hasFactor && checkbox({ name: 'factor', label: resetFactor, help: resetFactorHelp, isChosen: false })
  return html`<p class="measure">${resetHelp}</p>${oneButton(visit, `${username}/reset`, html`${lost}<div>${button(reset, 'plain')}</div>`)}`
}

const oneButton = (visit: AdminVisit, action: string, body: Html): Html =>
  postForm(visit, { action: `/admin/users/${action}`, body: html`<div>${body}</div>` })
