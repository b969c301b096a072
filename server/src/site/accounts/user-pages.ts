// Administration → Users: lists and creates users. On a user's page, an administrator can disable or enable the account,
// change its role, reset its password, or delete it; the keys of a service are there as well (`service-account-pages.ts`). A generated password is shown in one response only, and the user must replace
// it at the next sign-in. Everything but the list requires that the administrator has recently confirmed their identity.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { deleteUser } from '../../accounts/delete-user.ts'
import { isSecondFactorOn } from '../../accounts/second-factor.ts'
import {
  createService,
  createUserWithPassword,
  disableUser,
  enableUser,
  findUser,
  listUsers,
  resetPassword,
  setAdmin,
  type UserRecord,
  type UserWithPassword,
} from '../../accounts/users.ts'
import { Refusal } from '../../errors.ts'
import type { AdminContext } from '../../keys/admin-context.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { addressOf } from '../parts/address.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, checkbox, choiceField, postForm, textField } from '../parts/form.ts'
import { formatDay, showPast } from '../parts/formats.ts'
import { copyable, notice, stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { actingAccess, type FormState, type SignedInContext, textInput, usernameRule } from './account-forms.ts'
import { serviceKeys } from './service-keys.ts'

export interface UserPagesParts {
  accounts: Accounts
}

const USERS_PER_PAGE = 100
const MANAGE_PATH = '/admin/users/:username/manage'
const OUTCOMES = ['disabled', 'enabled', 'admin', 'user'] as const

const UsersQuery = z.object({
  after: z
    .string()
    .regex(/^[a-z\d._-]{1,64}$/)
    .catch(''),
  done: z.literal('deleted').optional().catch(undefined),
})

const usersPage = ({ accounts }: UserPagesParts) =>
  definePage({
    method: 'GET',
    path: '/admin/users',
    access: 'admin',
    query: UsersQuery,
    async handle(context) {
      const words = context.words.accounts.users
      const { people } = context.words
      const page = { after: context.query.after, limit: USERS_PER_PAGE }
      const users = await listUsers(accounts.access, page)
      const last = users.length === USERS_PER_PAGE ? users.at(-1)?.username : undefined
      return settingsView(context, '/admin/users', {
        title: words.title,
        content: html`${context.query.done && notice('good', people.users.deleted)}
${actions(buttonLink(words.create, '/admin/users/new', 'primary'), buttonLink(people.invitations.title, '/admin/users/invitations'))}
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

const newUserForm = ({ accounts }: Words) =>
  z.object({ username: usernameRule(accounts), role: z.enum(['member', 'admin', 'service']).catch('member') })

const newUserAction = (parts: UserPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/users/new',
    access: 'admin',
    stepUp: '/admin/users/new',
    form: newUserForm,
    async handle(context) {
      const { form, words } = context
      if (!form.ok) return newUserView(context, { messages: form.messages, status: 400 })
      const { username, role } = form.values
      try {
        if (role === 'service') {
          const service = await createService(actingAccess(parts.accounts, context), username)
          return redirectTo(managePath(service))
        }
        const created = await createUserWithPassword(actingAccess(parts.accounts, context), {
          username,
          isAdmin: role === 'admin',
        })
        return handOverView(context, created, words.accounts.users.createdTitle({ username: created.user.username }))
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return newUserView(context, { messages: { username: [words.accounts.takenUsername] }, status: 409 })
      }
    },
  })

const UserQuery = z.object({ done: z.enum(OUTCOMES).optional().catch(undefined) })

const userPage = ({ accounts }: UserPagesParts) =>
  definePage({
    method: 'GET',
    path: MANAGE_PATH,
    access: 'admin',
    stepUp: MANAGE_PATH,
    query: UserQuery,
    async handle(context) {
      const user = await requestedUser(accounts, context)
      const { nowDisabled, nowEnabled, nowAdmin, nowUser } = context.words.accounts.users
      const messages = { disabled: nowDisabled, enabled: nowEnabled, admin: nowAdmin, user: nowUser }
      const { done } = context.query
      return await userView(
        accounts,
        context,
        user,
        done ? { note: notice('good', messages[done]({ username: user.username })) } : {},
      )
    },
  })

type ApplyChange = (access: AdminContext, username: string) => Promise<UserRecord>

/** Defines a one-button change, after which the user's page says what was done. */
const changeAction = (accounts: Accounts, verb: string, done: (typeof OUTCOMES)[number], change: ApplyChange) =>
  definePage({
    method: 'POST',
    path: `/admin/users/:username/${verb}`,
    access: 'admin',
    stepUp: MANAGE_PATH,
    async handle(context) {
      const user = await requestedUser(accounts, context)
      try {
        await change(actingAccess(accounts, context), user.username)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return await userView(accounts, context, user, {
          note: notice('bad', context.words.accounts.users.lastAdmin),
          status: 409,
        })
      }
      return redirectTo(`/admin/users/${user.username}/manage?done=${done}`)
    },
  })

const resetFields = () => z.object({ factor: textInput })

const resetAction = ({ accounts }: UserPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/users/:username/reset',
    access: 'admin',
    stepUp: MANAGE_PATH,
    form: resetFields,
    async handle(context) {
      const { form, words } = context
      const { username } = await requestedUser(accounts, context)
      const alsoRemoveSecondFactor = form.ok && form.values.factor === 'on'
      const reset = await resetPassword(actingAccess(accounts, context), username, { alsoRemoveSecondFactor })
      return handOverView(context, reset, words.accounts.users.resetTitle({ username }))
    },
  })

const deletePage = ({ accounts }: UserPagesParts) =>
  definePage({
    method: 'GET',
    path: '/admin/users/:username/delete',
    access: 'admin',
    stepUp: '/admin/users/:username/delete',
    handle: async (context) => deleteView(context, await requestedUser(accounts, context), {}),
  })

const deleteAction = ({ accounts }: UserPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/users/:username/delete',
    access: 'admin',
    stepUp: '/admin/users/:username/delete',
    async handle(context) {
      const user = await requestedUser(accounts, context)
      const isSelf = user.id === context.viewer.userId
      try {
        await deleteUser(actingAccess(accounts, context), user.username)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return deleteView(context, user, { note: notice('bad', context.words.accounts.users.lastAdmin), status: 409 })
      }
      if (!isSelf) return redirectTo('/admin/users?done=deleted')
      context.endSession()
      return redirectTo('/login?done=deleted')
    },
  })

export const userPages = ({ accounts }: UserPagesParts): Page[] => [
  usersPage({ accounts }),
  newUserPage,
  newUserAction({ accounts }),
  userPage({ accounts }),
  changeAction(accounts, 'disable', 'disabled', disableUser),
  changeAction(accounts, 'enable', 'enabled', enableUser),
  changeAction(accounts, 'make-admin', 'admin', (access, username) => setAdmin(access, username, true)),
  changeAction(accounts, 'remove-admin', 'user', (access, username) => setAdmin(access, username, false)),
  resetAction({ accounts }),
  deletePage({ accounts }),
  deleteAction({ accounts }),
]

const managePath = ({ username }: UserRecord): string => `/admin/users/${username}/manage`

const roleOf = ({ isAdmin, isService }: UserRecord, { words }: SignedInContext): string => {
  const { admin, user } = words.accounts.users
  return isService ? words.people.service.role : isAdmin ? admin : user
}

/** The only page that ever shows a generated password. */
function handOverView(context: SignedInContext, { user, password }: UserWithPassword, title: string): View {
  const words = context.words.accounts.users
  const content = html`<p class="measure">${words.handOver}</p>
<dl class="facts"><dt>${context.words.accounts.username}</dt><dd><bdi>${user.username}</bdi></dd></dl>
${copyable(password, context.words.frame, words.passwordLabel)}
<p>${buttonLink(words.backToUsers, '/admin/users', 'primary')}</p>`
  return settingsView(context, '/admin/users', { title, content, headers: { 'Cache-Control': 'no-store' } })
}

const stateOfUser = ({ disabledAt }: UserRecord, { words }: SignedInContext): Html => {
  const { disabled, active } = words.accounts.users
  return disabledAt ? stateWord('down', disabled) : stateWord('up', active)
}

function userTable(context: SignedInContext, users: readonly UserRecord[]): Html {
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
      { label: words.role, cell: (user) => roleOf(user, context) },
      { label: words.state, cell: (user) => stateOfUser(user, context) },
      { label: words.created, cell: ({ createdAt }) => showPast(createdAt, context) },
    ],
    users,
  )
}

function newUserView(context: SignedInContext, { messages = {}, status }: FormState): View {
  const { accounts, frame } = context.words
  const words = accounts.users
  const body = html`${textField({ name: 'username', label: accounts.username, value: context.submitted['username'], errors: messages['username'], maxlength: 64, autofocus: true })}
${roleField(context)}
${actions(button(words.create), buttonLink(frame.cancel, '/admin/users'))}`
  return settingsView(context, '/admin/users', {
    title: words.newTitle,
    content: html`<p class="measure">${words.newHelp}</p>${postForm(context, { action: '/admin/users/new', body })}`,
    status,
  })
}

function roleField({ words, submitted }: SignedInContext): Html {
  const { role, user, admin, makeAdminHelp } = words.accounts.users
  const { service } = words.people
  const chosen = submitted['role'] ?? 'member'
  const options = [
    { value: 'member', label: user },
    { value: 'admin', label: admin, help: makeAdminHelp },
    { value: 'service', label: service.role, help: service.help },
  ].map((option) => ({ ...option, isChosen: option.value === chosen }))
  return choiceField({ name: 'role', label: role, type: 'radio', options })
}

function deleteView(context: SignedInContext, user: UserRecord, { note, status }: FormState): View {
  const { people, frame } = context.words
  const { deleteTitle, deleteHelp, delete: submit } = people.users
  const body = actions(button(submit, 'danger'), buttonLink(frame.cancel, managePath(user)))
  return settingsView(context, '/admin/users', {
    title: deleteTitle({ name: user.username }),
    content: html`${note}<p class="measure">${deleteHelp}</p>${postForm(context, { action: `/admin/users/${user.username}/delete`, body })}`,
    status,
  })
}

/** Returns the user in the URL; throws a 404 if there is none. */
export async function requestedUser(accounts: Accounts, { params }: SignedInContext): Promise<UserRecord> {
  const user = await findUser(accounts.access, params['username'] ?? '')
  if (!user) throw new PageError('notFound')
  return user
}

export async function userView(
  accounts: Accounts,
  context: SignedInContext,
  user: UserRecord,
  { note, status }: FormState,
): Promise<View> {
  const words = context.words.accounts.users
  const hasFactor = await isSecondFactorOn(accounts.access.db, user.id)
  const facts = html`<dl class="facts"><dt>${words.state}</dt><dd>${stateOfUser(user, context)}</dd>
<dt>${words.role}</dt><dd>${roleOf(user, context)}</dd>
<dt>${words.created}</dt><dd>${formatDay(user.createdAt, context)}</dd></dl>`
  const { deleteSection, deleteHelp, deleteOpen } = context.words.people.users
  const ofPerson = () => html`${section(words.roleTitle, roleForm(context, user))}
${section(words.resetSection, resetForm(context, user, hasFactor))}`
  const content = html`<p><a href="/admin/users">${words.backToUsers}</a></p>${note}${facts}
${section(words.accessTitle, statusForm(context, user))}
${user.isService ? await serviceKeys(accounts, context, user) : ofPerson()}
${section(deleteSection, html`<p class="measure">${deleteHelp}</p><p>${buttonLink(deleteOpen, `/admin/users/${user.username}/delete`)}</p>`)}`
  return settingsView(context, '/admin/users', { title: user.username, content, status })
}

const section = (title: string, content: Html): Html =>
  html`<section class="stack"><h2>${title}</h2>${content}</section>`

function statusForm(context: SignedInContext, { username, disabledAt }: UserRecord): Html {
  const { disable, disableHelp, enable, enableHelp } = context.words.accounts.users
  return disabledAt
    ? html`<p class="measure">${enableHelp}</p>${oneButton(context, `${username}/enable`, button(enable, 'plain'))}`
    : html`<p class="measure">${disableHelp}</p>${oneButton(context, `${username}/disable`, button(disable, 'danger'))}`
}

function roleForm(context: SignedInContext, { username, isAdmin }: UserRecord): Html {
  const { makeAdmin, makeAdminHelp, removeAdmin } = context.words.accounts.users
  return isAdmin
    ? oneButton(context, `${username}/remove-admin`, button(removeAdmin, 'plain'))
    : html`<p class="measure">${makeAdminHelp}</p>${oneButton(context, `${username}/make-admin`, button(makeAdmin, 'plain'))}`
}

function resetForm(context: SignedInContext, { username }: UserRecord, hasFactor: boolean): Html {
  const { resetHelp, resetFactor, resetFactorHelp, reset } = context.words.accounts.users
  const factorCheckbox =
    hasFactor && checkbox({ name: 'factor', label: resetFactor, help: resetFactorHelp, isChosen: false })
  return html`<p class="measure">${resetHelp}</p>${oneButton(context, `${username}/reset`, html`${factorCheckbox}<div>${button(reset, 'plain')}</div>`)}`
}

const oneButton = (context: SignedInContext, action: string, body: Html): Html =>
  postForm(context, { action: `/admin/users/${action}`, body: html`<div>${body}</div>` })
