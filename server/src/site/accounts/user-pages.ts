// Administration → Users: lists users and creates them, which requires a confirmed identity. The new user's password is
// generated, shown in one response only, and must be replaced at the first sign-in.
import { z } from 'zod'
import { inviteUser, listUsers, type UserRecord, type UserWithPassword } from '../../accounts/users.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, checkbox, postForm, textField } from '../parts/form.ts'
import { copyable, stateWord } from '../parts/notice.ts'
import { settingsFrame } from '../parts/settings-frame.ts'
import { sent, usernameRule } from './account-fields.ts'
import { actingAccess, type OwnContext } from './member.ts'
import { showPast } from './moments.ts'

export type AdminContext = OwnContext

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
  async handle(context) {
    const words = context.words.accounts.users
    const page = { after: context.query.after, limit: USERS_ON_A_PAGE }
    const users = await listUsers(context.services.accounts.access, page)
    const last = users.length === USERS_ON_A_PAGE ? users.at(-1)?.username : undefined
    return framedUsers(context, words.title, {
      content: html`<p>${buttonLink(words.create, '/admin/users/new', 'primary')}</p>
${userTable(context, users)}
${last && html`<p><a href="${addressOf('/admin/users', { after: last })}">${context.words.frame.nextPage}</a></p>`}`,
    })
  },
})

const newUserPage = definePage({
  method: 'GET',
  path: '/admin/users/new',
  access: 'admin',
  stepUp: '/admin/users/new',
  handle: (context) => newUserView(context, {}),
})

const newUserAction = definePage({
  method: 'POST',
  path: '/admin/users/new',
  access: 'admin',
  stepUp: '/admin/users/new',
  form: ({ accounts }) => z.object({ username: usernameRule(accounts), admin: sent }),
  async handle(context) {
    const { form, words } = context
    if (!form.ok) return newUserView(context, { messages: form.messages, status: 400 })
    const { username, admin } = form.values
    try {
      const invited = await inviteUser(actingAccess(context), { username, isAdmin: admin === 'on' })
      return handOverView(context, invited, words.accounts.users.createdTitle(invited.user.username))
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 409)) throw error
      return newUserView(context, { messages: { username: [words.accounts.takenUsername] }, status: 409 })
    }
  },
})

export const userPages = [usersPage, newUserPage, newUserAction]

/** The only page that ever shows a generated password. */
export function handOverView(context: AdminContext, { user, password }: UserWithPassword, title: string): View {
  const words = context.words.accounts.users
  const content = html`<p class="measure">${words.handOver}</p>
<dl class="facts"><dt>${context.words.accounts.username}</dt><dd><bdi>${user.username}</bdi></dd></dl>
${copyable(password, context.words.frame, words.passwordLabel)}
<p>${buttonLink(words.backToUsers, '/admin/users', 'primary')}</p>`
  return framedUsers(context, title, { content, headers: { 'Cache-Control': 'no-store' } })
}

export const framedUsers = (
  context: AdminContext,
  title: string,
  view: { content: Html; status?: number; headers?: Record<string, string> },
): View => ({
  title,
  body: settingsFrame(context, '/admin/users', { title, content: view.content }),
  layout: 'wide',
  status: view.status ?? 200,
  headers: view.headers ?? {},
})

export const stateOfUser = ({ disabledAt }: UserRecord, { words }: Pick<PageContext, 'words'>): Html => {
  const { disabled, active } = words.accounts.users
  return disabledAt ? stateWord('down', disabled) : stateWord('up', active)
}

function userTable(context: AdminContext, users: readonly UserRecord[]): Html {
  const { accounts } = context.words
  const words = accounts.users
  return dataTable(
    words.caption,
    [
      {
        label: accounts.username,
        isHeading: true,
        cell: ({ username }) =>
          html`<span><a href="/admin/users/${username}/manage"><bdi>${username}</bdi></a>${username === context.viewer.username && html` <span class="quiet">(${words.you})</span>`}</span>`,
      },
      { label: words.role, cell: ({ isAdmin }) => (isAdmin ? words.admin : words.user) },
      { label: words.state, cell: (user) => stateOfUser(user, context) },
      { label: words.created, cell: ({ createdAt }) => showPast(createdAt, context) },
    ],
    users,
  )
}

function newUserView(
  context: AdminContext,
  { messages = {}, status = 200 }: { messages?: FieldMessages; status?: number },
) {
  const { accounts, frame } = context.words
  const words = accounts.users
  const body = html`${textField({ name: 'username', label: accounts.username, value: context.given['username'], errors: messages['username'], maxlength: 64, autofocus: true })}
${checkbox({ name: 'admin', label: words.makeAdminField, help: words.makeAdminHelp, isChosen: context.given['admin'] === 'on' })}
${actions(button(words.create), buttonLink(frame.cancel, '/admin/users'))}`
  return framedUsers(context, words.newTitle, {
    content: html`<p class="measure">${words.newHelp}</p>${postForm(context, { action: '/admin/users/new', body })}`,
    status,
  })
}
