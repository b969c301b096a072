// Administration → Users: lists and creates users. On a user's page, an administrator can disable or enable the account,
// change its role, or reset its password. A generated password is shown in one response only, and the user must replace
// it at the next sign-in. Everything but the list requires that the administrator has recently confirmed their identity.
import { z } from 'zod'
import { isSecondFactorOn } from '../../accounts/second-factor.ts'
import {
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
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, redirectTo, type View } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, checkbox, postForm, textField } from '../parts/form.ts'
import { formatDay, showPast } from '../parts/formats.ts'
import { copyable, notice, stateWord } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { actingAccess, type FormState, type SignedInContext, textInput, usernameRule } from './account-forms.ts'

const USERS_PER_PAGE = 100
const MANAGE_PATH = '/admin/users/:username/manage'
const OUTCOMES = ['disabled', 'enabled', 'admin', 'user'] as const

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
    const page = { after: context.query.after, limit: USERS_PER_PAGE }
    const users = await listUsers(context.services.accounts.access, page)
    const last = users.length === USERS_PER_PAGE ? users.at(-1)?.username : undefined
    return settingsView(context, '/admin/users', {
      title: words.title,
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
  form: ({ accounts }) => z.object({ username: usernameRule(accounts), admin: textInput }),
  async handle(context) {
    const { form, words } = context
    if (!form.ok) return newUserView(context, { messages: form.messages, status: 400 })
    const { username, admin } = form.values
    try {
      const created = await createUserWithPassword(actingAccess(context), { username, isAdmin: admin === 'on' })
      return handOverView(context, created, words.accounts.users.createdTitle({ username: created.user.username }))
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 409)) throw error
      return newUserView(context, { messages: { username: [words.accounts.takenUsername] }, status: 409 })
    }
  },
})

const userPage = definePage({
  method: 'GET',
  path: MANAGE_PATH,
  access: 'admin',
  stepUp: MANAGE_PATH,
  query: z.object({ done: z.enum(OUTCOMES).optional().catch(undefined) }),
  async handle(context) {
    const user = await requestedUser(context)
    const { nowDisabled, nowEnabled, nowAdmin, nowUser } = context.words.accounts.users
    const messages = { disabled: nowDisabled, enabled: nowEnabled, admin: nowAdmin, user: nowUser }
    const { done } = context.query
    return await userView(
      context,
      user,
      done ? { note: notice('good', messages[done]({ username: user.username })) } : {},
    )
  },
})

type ApplyChange = (access: SignedInContext['services']['accounts']['access'], username: string) => Promise<UserRecord>

/** Defines a one-button change, after which the user's page says what was done. */
const changeAction = (verb: string, done: (typeof OUTCOMES)[number], change: ApplyChange) =>
  definePage({
    method: 'POST',
    path: `/admin/users/:username/${verb}`,
    access: 'admin',
    stepUp: MANAGE_PATH,
    async handle(context) {
      const user = await requestedUser(context)
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
  stepUp: MANAGE_PATH,
  form: () => z.object({ factor: textInput }),
  async handle(context) {
    const { form, words } = context
    const { username } = await requestedUser(context)
    const alsoRemoveSecondFactor = form.ok && form.values.factor === 'on'
    const reset = await resetPassword(actingAccess(context), username, { alsoRemoveSecondFactor })
    return handOverView(context, reset, words.accounts.users.resetTitle({ username }))
  },
})

export const userPages = [
  usersPage,
  newUserPage,
  newUserAction,
  userPage,
  changeAction('disable', 'disabled', disableUser),
  changeAction('enable', 'enabled', enableUser),
  changeAction('make-admin', 'admin', (access, username) => setAdmin(access, username, true)),
  changeAction('remove-admin', 'user', (access, username) => setAdmin(access, username, false)),
  resetAction,
]

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
      { label: words.role, cell: ({ isAdmin }) => (isAdmin ? words.admin : words.user) },
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
${checkbox({ name: 'admin', label: words.makeAdminField, help: words.makeAdminHelp, isChosen: context.submitted['admin'] === 'on' })}
${actions(button(words.create), buttonLink(frame.cancel, '/admin/users'))}`
  return settingsView(context, '/admin/users', {
    title: words.newTitle,
    content: html`<p class="measure">${words.newHelp}</p>${postForm(context, { action: '/admin/users/new', body })}`,
    status,
  })
}

/** Returns the user in the URL; throws a 404 if there is none. */
async function requestedUser({ params, services }: SignedInContext): Promise<UserRecord> {
  const user = await findUser(services.accounts.access, params['username'] ?? '')
  if (!user) throw new PageError('notFound')
  return user
}

async function userView(context: SignedInContext, user: UserRecord, { note, status }: FormState): Promise<View> {
  const words = context.words.accounts.users
  const hasFactor = await isSecondFactorOn(context.services.accounts.access.db, user.id)
  const facts = html`<dl class="facts"><dt>${words.state}</dt><dd>${stateOfUser(user, context)}</dd>
<dt>${words.role}</dt><dd>${user.isAdmin ? words.admin : words.user}</dd>
<dt>${words.created}</dt><dd>${formatDay(user.createdAt, context)}</dd></dl>`
  const content = html`<p><a href="/admin/users">${words.backToUsers}</a></p>${note}${facts}
${section(words.accessTitle, statusForm(context, user))}
${section(words.roleTitle, roleForm(context, user))}
${section(words.resetSection, resetForm(context, user, hasFactor))}`
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
