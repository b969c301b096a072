// Administration → Users: the list, and creating one. The password is made here and is in one answer only; whoever
// signs in with it chooses another.
import { z } from 'zod'
import { inviteUser, listUsers, type UserRecord, type UserWithPassword } from '../../accounts/users.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type View, type Visit } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, checkbox, postForm, textField } from '../parts/form.ts'
import { copyable, stateWord } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import type { Viewer } from '../site-services.ts'
import { sent, usernameRule } from './account-fields.ts'
import { showPast } from './moments.ts'

export type AdminVisit = Visit<unknown, unknown, Viewer>

const USERS_ON_A_PAGE = 100

const usersPage = definePage({
  method: 'GET',
  path: '/admin/users',
  access: 'admin',
  query: z.object({
    after: z
      .string()
      .regex(/^[a-z\d._-]{1,64}$/)
      .catch(''),
  }),
  async handle(visit) {
    const words = visit.words.accounts.users
    const page = { after: visit.query.after, limit: USERS_ON_A_PAGE }
    const users = await listUsers(visit.services.accounts.access, page)
    const last = users.length === USERS_ON_A_PAGE ? users.at(-1)?.username : undefined
    return framedUsers(visit, words.title, {
      content: html`<p>${buttonLink(words.create, '/admin/users/new', 'primary')}</p>
${userTable(visit, users)}
${last && html`<p><a href="${addressOf('/admin/users', { after: last })}">${visit.words.frame.nextPage}</a></p>`}`,
    })
  },
})

const newUserPage = definePage({
  method: 'GET',
  path: '/admin/users/new',
  access: 'admin',
  handle: (visit) => newUserView(visit, {}),
})

const newUserAction = definePage({
  method: 'POST',
  path: '/admin/users/new',
  access: 'admin',
  form: ({ accounts }) => z.object({ username: usernameRule(accounts), admin: sent }),
  async handle(visit) {
    const { form, services, words } = visit
    if (!form.ok) return newUserView(visit, { messages: form.messages, status: 400 })
    const { username, admin } = form.values
    try {
      const invited = await inviteUser(services.accounts.access, { username, isAdmin: admin === 'on' })
      return handOverView(visit, invited, words.accounts.users.createdTitle(invited.user.username))
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 409)) throw error
      return newUserView(visit, { messages: { username: [words.accounts.takenUsername] }, status: 409 })
    }
  },
})

export const userPages = [usersPage, newUserPage, newUserAction]

/** The one page that ever shows a password that was made here. */
export function handOverView(visit: AdminVisit, { user, password }: UserWithPassword, title: string): View {
  const words = visit.words.accounts.users
  const content = html`<p class="measure">${words.handOver}</p>
<dl class="facts"><dt>${visit.words.accounts.username}</dt><dd><bdi>${user.username}</bdi></dd></dl>
${copyable(password, visit.words.frame, words.passwordLabel)}
<p>${buttonLink(words.backToUsers, '/admin/users', 'primary')}</p>`
  return framedUsers(visit, title, { content, headers: { 'Cache-Control': 'no-store' } })
}

export const framedUsers = (
  visit: AdminVisit,
  title: string,
  view: { content: Html; status?: number; headers?: Record<string, string> },
): View => ({
  title,
  body: settingsFrame(visit, '/admin/users', { title, content: view.content }),
  layout: 'wide',
  status: view.status ?? 200,
  headers: view.headers ?? {},
})

export const stateOfUser = ({ disabledAt }: UserRecord, { words }: Pick<Visit, 'words'>): Html => {
  const { disabled, active } = words.accounts.users
  return disabledAt ? stateWord('down', disabled) : stateWord('up', active)
}

function userTable(visit: AdminVisit, users: readonly UserRecord[]): Html {
  const { accounts } = visit.words
  const words = accounts.users
  return dataTable(
    words.caption,
    [
      {
        label: accounts.username,
        isHeading: true,
        cell: ({ username }) =>
          html`<span><a href="/admin/users/${username}/manage"><bdi>${username}</bdi></a>${username === visit.viewer.username && html` <span class="quiet">(${words.you})</span>`}</span>`,
      },
      { label: words.role, cell: ({ isAdmin }) => (isAdmin ? words.admin : words.user) },
      { label: words.state, cell: (user) => stateOfUser(user, visit) },
      { label: words.created, cell: ({ createdAt }) => showPast(createdAt, visit) },
    ],
    users,
  )
}

function newUserView(
  visit: AdminVisit,
  { messages = {}, status = 200 }: { messages?: FieldMessages; status?: number },
) {
  const { accounts, frame } = visit.words
  const words = accounts.users
  const body = html`${textField({ name: 'username', label: accounts.username, value: visit.given['username'], errors: messages['username'], maxlength: 64, autofocus: true })}
${checkbox({ name: 'admin', label: words.makeAdminField, help: words.makeAdminHelp, isChosen: visit.given['admin'] === 'on' })}
${actions(button(words.create), buttonLink(frame.cancel, '/admin/users'))}`
  return framedUsers(visit, words.newTitle, {
    content: html`<p class="measure">${words.newHelp}</p>${postForm(visit, { action: '/admin/users/new', body })}`,
    status,
  })
}
