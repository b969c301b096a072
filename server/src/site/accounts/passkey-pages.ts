// Settings → Account → Passkeys: lists, adds, renames and removes them. Adding one requires JavaScript and a recently
// confirmed identity; removing one requires the password.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import { findPasskey, listPasskeys, type PasskeyRecord } from '../../accounts/passkey-rows.ts'
import { relyingPartyOf } from '../../accounts/passkeys.ts'
import { MAX_PASSKEY_NAME_LENGTH } from '../../accounts/second-factor-settings.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type Page, redirectTo, type View } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { showPast } from '../parts/formats.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  currentPasswordField,
  type FormState,
  memberOf,
  refusalOfChange,
  type SignedInContext,
  textInput,
} from './account-forms.ts'
import { challengeReply, passkeyAnswerOf, passkeyForm } from './passkey-form.ts'
import { codesView } from './second-factor-pages.ts'

export interface PasskeyPagesParts {
  accounts: Accounts
}

const PATH = '/settings/account/passkeys'

const PasskeysQuery = z.object({ done: z.enum(['added', 'removed', 'renamed']).optional().catch(undefined) })

const passkeysPage = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'GET',
    path: PATH,
    access: 'user',
    query: PasskeysQuery,
    async handle(context) {
      const words = context.words.security.passkeys
      const passkeys = await listPasskeys(accounts.access.db, context.viewer.userId)
      const { done } = context.query
      const add = buttonLink(words.add, `${PATH}/new`, 'primary')
      const content = html`${done && notice('good', words[done])}
${
  passkeys.length === 0
    ? emptyState({ title: words.emptyTitle, help: words.intro, action: add })
    : html`<p class="measure">${words.intro}</p>${passkeyTable(context, passkeys)}<p>${add}</p>`
}
<p><a href="/settings/account">${context.words.frame.back}</a></p>`
      return settingsView(context, '/settings/account', { title: words.title, content })
    },
  })

const newPasskeyPage = definePage({
  method: 'GET',
  path: `${PATH}/new`,
  access: 'user',
  stepUp: `${PATH}/new`,
  duringEnrolment: true,
  handle: (context) => newPasskeyView(context, {}),
})

const optionsAction = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/options`,
    access: 'user',
    stepUp: `${PATH}/new`,
    duringEnrolment: true,
    isData: true,
    handle: (context) =>
      challengeReply(accounts, context, (party) => {
        const { userId, username } = context.viewer
        return accounts.passkeys.beginAdding({ id: userId, username }, party)
      }),
  })

const newPasskeyForm = () => z.object({ name: textInput, credential: textInput })

const newPasskeyAction = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/new`,
    access: 'user',
    stepUp: `${PATH}/new`,
    duringEnrolment: true,
    form: newPasskeyForm,
    async handle(context) {
      const { words } = context
      const name = context.submitted['name'] ?? ''
      try {
        const { addPasskey } = accounts.ownFactors
        const added = await addPasskey(memberOf(context), { ...passkeyAnswerOf(context), name })
        if (!added.ok) return newPasskeyView(context, refusalOfChange(added, context))
        return added.value.length > 0
          ? codesView(context, words.security.passkeys.codesTitle, added.value)
          : redirectTo(`${PATH}?done=added`)
      } catch (error) {
        return newPasskeyView(context, { messages: nameMessages(error, context), status: 400 })
      }
    },
  })

const passkeyPage = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'GET',
    path: `${PATH}/:passkeyId`,
    access: 'user',
    handle: (context) => passkeyView(accounts, context, {}),
  })

const renameForm = () => z.object({ name: textInput })

const renameAction = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/:passkeyId/rename`,
    access: 'user',
    form: renameForm,
    async handle(context) {
      const { id } = await requestedPasskey(accounts, context)
      try {
        const { renamePasskey } = accounts.ownFactors
        await renamePasskey(context.viewer.userId, id, context.submitted['name'] ?? '')
        return redirectTo(`${PATH}?done=renamed`)
      } catch (error) {
        return await passkeyView(accounts, context, { messages: nameMessages(error, context), status: 400 })
      }
    },
  })

const removeForm = () => z.object({ present: textInput })

const removeAction = ({ accounts }: PasskeyPagesParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/:passkeyId/remove`,
    access: 'user',
    form: removeForm,
    async handle(context) {
      const { id } = await requestedPasskey(accounts, context)
      const proof = { password: context.submitted['present'] ?? '', passkeyId: id }
      const removed = await accounts.ownFactors.removePasskey(memberOf(context), proof)
      return removed.ok
        ? redirectTo(`${PATH}?done=removed`)
        : await passkeyView(accounts, context, refusalOfChange(removed, context))
    },
  })

export const passkeyPages = (parts: PasskeyPagesParts): Page[] => [
  passkeysPage(parts),
  newPasskeyPage,
  optionsAction(parts),
  newPasskeyAction(parts),
  passkeyPage(parts),
  renameAction(parts),
  removeAction(parts),
]

/** Returns the passkey in the URL if it is the viewer's own; otherwise throws a 404. */
async function requestedPasskey(accounts: Accounts, { params, viewer }: SignedInContext): Promise<PasskeyRecord> {
  const ids = { userId: viewer.userId, passkeyId: params['passkeyId'] ?? '' }
  const passkey = await findPasskey(accounts.access.db, ids)
  if (!passkey) throw new PageError('notFound')
  return passkey
}

function nameMessages(error: unknown, { words }: SignedInContext): FieldMessages {
  if (error instanceof Refusal && error.status === 400 && 'name' in error.body) {
    return { name: [words.security.passkeys.badName] }
  }
  throw error
}

const nameField = ({ words }: SignedInContext, messages: FieldMessages, value: string): Html =>
  textField({
    name: 'name',
    label: words.security.passkeys.name,
    help: words.security.passkeys.nameHelp,
    value,
    errors: messages['name'],
    optional: words.frame.optional,
    maxlength: MAX_PASSKEY_NAME_LENGTH,
  })

function newPasskeyView(context: SignedInContext, { messages = {}, note, status, headers }: FormState): View {
  const { frame, security } = context.words
  const words = security.passkeys
  const { mustEnrol } = context.viewer
  const form = passkeyForm(context, {
    action: `${PATH}/new`,
    options: `${PATH}/options`,
    kind: 'create',
    label: words.add,
    look: 'primary',
    fields: nameField(context, messages, context.submitted['name'] ?? ''),
    beside: !mustEnrol && buttonLink(frame.cancel, PATH),
  })
  const content = html`${mustEnrol && notice('partial', security.required.help)}${note}
<p class="measure">${words.intro}</p>
<p class="measure">${words.second}</p>
${relyingPartyOf(context.baseUrl) ? form : notice('bad', words.needsHttps)}
${mustEnrol && html`<p><a href="/settings/account/second-factor">${security.required.appInstead}</a></p>`}`
  return settingsView(context, '/settings/account', {
    title: words.addTitle,
    content,
    status,
    headers,
    scripts: ['passkeys'],
  })
}

async function passkeyView(
  accounts: Accounts,
  context: SignedInContext,
  { messages = {}, note, status, headers }: FormState,
): Promise<View> {
  const passkey = await requestedPasskey(accounts, context)
  const { frame, security } = context.words
  const words = security.passkeys
  const passkeyPath = `${PATH}/${passkey.id}`
  const rename = html`${nameField(context, messages, passkey.name)}${actions(button(words.rename, 'plain'), buttonLink(frame.cancel, PATH))}`
  const remove = html`${currentPasswordField(context, messages)}${actions(button(words.remove, 'danger'))}`
  const content = html`${note}${postForm(context, { action: `${passkeyPath}/rename`, body: rename })}
<section class="stack"><h2>${words.remove}</h2><p class="measure">${words.removeHelp}</p>
${postForm(context, { action: `${passkeyPath}/remove`, body: remove })}</section>`
  return settingsView(context, '/settings/account', { title: passkey.name || words.unnamed, content, status, headers })
}

function passkeyTable(context: SignedInContext, passkeys: readonly PasskeyRecord[]): Html {
  const { accounts, security } = context.words
  const words = security.passkeys
  return dataTable(
    words.title,
    [
      {
        label: words.name,
        isHeading: true,
        cell: ({ name }) => (name === '' ? words.unnamed : html`<bdi>${name}</bdi>`),
      },
      { label: words.created, cell: ({ createdAt }) => showPast(createdAt, context) },
      {
        label: words.lastUsed,
        cell: ({ lastUsedAt }) => (lastUsedAt ? showPast(lastUsedAt, context) : accounts.keys.never),
      },
      {
        label: accounts.keys.actions,
        isAction: true,
        cell: ({ id, name }) =>
          html`<a href="${PATH}/${id}" aria-label="${words.edit}: ${name || words.unnamed}">${words.edit}</a>`,
      },
    ],
    passkeys,
  )
}
