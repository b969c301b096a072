// Administration → Users → Invitations: links with which people create their own accounts. Whoever has such a link chooses
// a name and a password, or a name and an identity provider (`oidc-pages.ts`). The response to the form is the only page
// that shows a link.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import {
  createInvitation,
  INVITATION_DAYS,
  INVITATION_PATH,
  type Invitation,
  listInvitations,
  revokeInvitation,
} from '../../accounts/invitations.ts'
import { Refusal } from '../../errors.ts'
import type { Oidc } from '../../oidc/oidc.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, type PageContext, redirectTo, type View } from '../http/page.ts'
import type { Words } from '../i18n/messages.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, choiceField, postForm, selectField, textField } from '../parts/form.ts'
import { formatDay, showPast } from '../parts/formats.ts'
import { copyable, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  actingAccess,
  type FormState,
  narrowView,
  newPasswordFields,
  passwordRule,
  repeatRule,
  type SignedInContext,
  textInput,
  tooManyAttempts,
  usernameRule,
  visitorOf,
  weakPasswordMessages,
} from './account-forms.ts'
import { startSessionAndRedirect } from './login-pages.ts'

export interface InvitationPagesParts {
  accounts: Accounts
  oidc: Oidc | undefined
}

const LIST_PATH = '/admin/users/invitations'
const DAYS = ['1', '7', '30'] as const

const InvitationsQuery = z.object({ done: z.literal('revoked').optional().catch(undefined) })

const invitationsPage = ({ accounts }: InvitationPagesParts) =>
  definePage({
    method: 'GET',
    path: LIST_PATH,
    access: 'admin',
    query: InvitationsQuery,
    handle: (context) =>
      listView(
        accounts,
        context,
        context.query.done ? { note: notice('good', context.words.people.invitations.revoked) } : {},
      ),
  })

const inviteForm = () =>
  z.object({
    role: z.enum(['member', 'admin']).catch('member'),
    days: z.enum(DAYS).catch(String(INVITATION_DAYS) as '7'),
  })

const inviteAction = ({ accounts }: InvitationPagesParts) =>
  definePage({
    method: 'POST',
    path: LIST_PATH,
    access: 'admin',
    stepUp: LIST_PATH,
    form: inviteForm,
    async handle(context) {
      const { form, words, baseUrl } = context
      const { role, days } = form.ok ? form.values : { role: 'member', days: INVITATION_DAYS }
      const wanted = { isAdmin: role === 'admin', days: Number(days) }
      const { invitation, token } = await createInvitation(actingAccess(accounts, context), wanted)
      const { createdTitle, handOver, link, back } = words.people.invitations
      return settingsView(context, '/admin/users', {
        title: createdTitle,
        content: html`<p class="measure">${handOver({ day: formatDay(invitation.expiresAt, context) })}</p>
<div class="once">${copyable(`${baseUrl}${INVITATION_PATH}${token}`, words.frame, link)}</div>
<p>${buttonLink(back, LIST_PATH, 'primary')}</p>`,
        headers: { 'Cache-Control': 'no-store' },
      })
    },
  })

const revokeAction = ({ accounts }: InvitationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${LIST_PATH}/:id/revoke`,
    access: 'admin',
    stepUp: LIST_PATH,
    async handle(context) {
      await revokeInvitation(actingAccess(accounts, context), context.params['id'] ?? '')
      return redirectTo(`${LIST_PATH}?done=revoked`)
    },
  })

const acceptPage = ({ accounts, oidc }: InvitationPagesParts) =>
  definePage({
    method: 'GET',
    path: `${INVITATION_PATH}:token`,
    access: 'signed-out',
    handle: (context) => acceptView({ accounts, oidc }, context, {}),
  })

const acceptForm = (words: Words) =>
  z
    .object({ username: usernameRule(words.accounts), password: passwordRule(words), repeat: textInput })
    .refine(...repeatRule(words.accounts))

const acceptAction = (parts: InvitationPagesParts) =>
  definePage({
    method: 'POST',
    path: `${INVITATION_PATH}:token`,
    access: 'signed-out',
    form: acceptForm,
    async handle(context) {
      const { form, params, words } = context
      if (!parts.accounts.policy.isPasswordSignInOn) return await acceptView(parts, context, { status: 403 })
      if (!form.ok) return await acceptView(parts, context, { messages: form.messages, status: 400 })
      const { username, password } = form.values
      const acceptance = { token: params['token'] ?? '', username, password }
      try {
        const verdict = await parts.accounts.invitations.accept(acceptance, visitorOf(context))
        if (verdict.ok) return startSessionAndRedirect(context, verdict, '/')
        const isOver = verdict.reason === 'over'
        return await acceptView(parts, context, isOver ? {} : tooManyAttempts(verdict.retryAfterSeconds, context))
      } catch (error) {
        if (error instanceof Refusal && error.status === 409)
          return await acceptView(parts, context, {
            messages: { username: [words.accounts.takenUsername] },
            status: 409,
          })
        return await acceptView(parts, context, {
          messages: weakPasswordMessages(error, words),
          status: 400,
        })
      }
    },
  })

export const invitationPages = (parts: InvitationPagesParts): Page[] => [
  invitationsPage(parts),
  inviteAction(parts),
  revokeAction(parts),
  acceptPage(parts),
  acceptAction(parts),
]

async function listView(accounts: Accounts, context: SignedInContext, { note }: FormState): Promise<View> {
  const { users } = context.words.accounts
  const words = context.words.people.invitations
  const invitations = await listInvitations(accounts.access)
  const body = html`${choiceField({
    name: 'role',
    label: users.role,
    type: 'radio',
    options: [
      { value: 'member', label: users.user, isChosen: true },
      { value: 'admin', label: users.admin, help: users.makeAdminHelp, isChosen: false },
    ],
  })}
${selectField({
  name: 'days',
  label: words.days,
  value: String(INVITATION_DAYS),
  options: DAYS.map((days) => ({ value: days, label: words.daysLong({ days: Number(days) }) })),
})}
${actions(button(words.create))}`
  return settingsView(context, '/admin/users', {
    title: words.title,
    content: html`<p><a href="/admin/users">${users.backToUsers}</a></p>${note}
<p class="measure">${words.help}</p>
${postForm(context, { action: LIST_PATH, body })}
${invitations.length > 0 && html`<section class="stack"><h2>${words.open}</h2>${invitationTable(context, invitations)}</section>`}`,
  })
}

function invitationTable(context: SignedInContext, invitations: readonly Invitation[]): Html {
  const { users, keys } = context.words.accounts
  const words = context.words.people.invitations
  const revoke = (id: string) =>
    postForm(context, { action: `${LIST_PATH}/${id}/revoke`, body: button(words.revoke, 'plain'), isInline: true })
  return dataTable(
    words.open,
    [
      { label: users.created, isHeading: true, cell: ({ createdAt }) => showPast(createdAt, context) },
      { label: users.role, cell: ({ isAdmin }) => (isAdmin ? users.admin : users.user) },
      { label: words.by, cell: ({ invitedBy }) => (invitedBy === undefined ? '–' : html`<bdi>${invitedBy}</bdi>`) },
      { label: words.until, cell: ({ expiresAt }) => formatDay(expiresAt, context) },
      { label: keys.actions, cell: ({ id }) => revoke(id) },
    ],
    invitations,
  )
}

/** One that doesn't work looks the same, whatever became of it. */
export async function acceptView(
  { accounts, oidc }: InvitationPagesParts,
  context: PageContext,
  form: FormState,
): Promise<View> {
  const { params, submitted } = context
  const { people, accounts: words } = context.words
  const token = params['token'] ?? ''
  const invitation = await accounts.invitations.find(token)
  const { acceptTitle, overTitle, over, intro, introElsewhere, submit, orElsewhere } = people.invitations
  if (!invitation) {
    const content = html`<p>${over}</p><p>${buttonLink(words.signIn.title, '/login', 'primary')}</p>`
    return narrowView({ title: overTitle, content }, { status: 404, ...form })
  }
  const { messages = {} } = form
  const { providers = [] } = oidc ?? {}
  const hasPassword = accounts.policy.isPasswordSignInOn
  const username = textField({
    name: 'username',
    label: words.username,
    value: submitted['username'],
    errors: messages['username'],
    autocomplete: 'username',
    maxlength: 64,
    autofocus: true,
  })
  const elsewhere = providers.map(
    ({ slug, name }, at) =>
      html`<button type="submit" class="button button-${!hasPassword && at === 0 ? 'primary' : 'plain'}" formaction="${INVITATION_PATH}${token}/with/${slug}" formnovalidate>${words.identity.signIn({ name })}</button>`,
  )
  const body = html`${username}
${hasPassword && html`${newPasswordFields(words, messages, words.password)}${actions(button(submit))}`}
${elsewhere.length > 0 && html`${hasPassword && html`<p>${orElsewhere}</p>`}${actions(...elsewhere)}`}`
  const content = html`<p>${(hasPassword ? intro : introElsewhere)({ host: new URL(context.baseUrl).host })}</p>${postForm(context, { action: `${INVITATION_PATH}${token}`, body })}`
  return narrowView({ title: acceptTitle, content }, form)
}
