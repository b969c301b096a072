// Settings → Account → Passkeys: list, add (which requires the password, and JavaScript), rename and remove.
import { z } from 'zod'
import { findPasskey, listPasskeys, type PasskeyRecord } from '../../accounts/passkey-rows.ts'
import { relyingPartyOf } from '../../accounts/passkeys.ts'
import { MAX_PASSKEY_NAME_LENGTH } from '../../accounts/second-factor-settings.ts'
import { type FieldMessages, Refusal } from '../../errors.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, redirectTo, type View } from '../http/page.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { showPast } from '../parts/formats.ts'
import { emptyState, notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import {
  type FormState,
  memberOf,
  type OwnContext,
  presentPasswordField,
  refusalOfChange,
  sent,
} from './account-forms.ts'
import { answerIn, passkeyForm, question } from './passkey-form.ts'
import { codesView } from './second-factor-pages.ts'

const PATH = '/settings/account/passkeys'

const passkeysPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  query: z.object({ done: z.enum(['added', 'removed', 'renamed']).optional().catch(undefined) }),
  async handle(context) {
    const words = context.words.security.passkeys
    const passkeys = await listPasskeys(context.services.accounts.access.db, context.viewer.userId)
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

const optionsAction = definePage({
  method: 'POST',
  path: `${PATH}/options`,
  access: 'user',
  stepUp: `${PATH}/new`,
  duringEnrolment: true,
  isData: true,
  handle: (context) =>
    question(context, (party) => {
      const { userId, username } = context.viewer
      return context.services.accounts.passkeys.beginAdding({ id: userId, username }, party)
    }),
})

const newPasskeyAction = definePage({
  method: 'POST',
  path: `${PATH}/new`,
  access: 'user',
  stepUp: `${PATH}/new`,
  duringEnrolment: true,
  form: () => z.object({ name: sent, credential: sent }),
  async handle(context) {
    const { words, services } = context
    const name = context.given['name'] ?? ''
    try {
      const { addPasskey } = services.accounts.ownFactors
      const added = await addPasskey(memberOf(context), { ...answerIn(context), name })
      if (!added.ok) return newPasskeyView(context, refusalOfChange(added, context))
      return added.value.length > 0
        ? codesView(context, words.security.passkeys.codesTitle, added.value)
        : redirectTo(`${PATH}?done=added`)
    } catch (error) {
      return newPasskeyView(context, { messages: nameMessages(error, context), status: 400 })
    }
  },
})

const passkeyPage = definePage({
  method: 'GET',
  path: `${PATH}/:passkeyId`,
  access: 'user',
  handle: (context) => passkeyView(context, {}),
})

const renameAction = definePage({
  method: 'POST',
  path: `${PATH}/:passkeyId/rename`,
  access: 'user',
  form: () => z.object({ name: sent }),
  async handle(context) {
    const { id } = await ownPasskey(context)
    try {
      const { renamePasskey } = context.services.accounts.ownFactors
      await renamePasskey(context.viewer.userId, id, context.given['name'] ?? '')
      return redirectTo(`${PATH}?done=renamed`)
    } catch (error) {
      return await passkeyView(context, { messages: nameMessages(error, context), status: 400 })
    }
  },
})

const removeAction = definePage({
  method: 'POST',
  path: `${PATH}/:passkeyId/remove`,
  access: 'user',
  form: () => z.object({ present: sent }),
  async handle(context) {
    const { id } = await ownPasskey(context)
    const proof = { password: context.given['present'] ?? '', passkeyId: id }
    const removed = await context.services.accounts.ownFactors.removePasskey(memberOf(context), proof)
    return removed.ok
      ? redirectTo(`${PATH}?done=removed`)
      : await passkeyView(context, refusalOfChange(removed, context))
  },
})

export const passkeyPages = [
  passkeysPage,
  newPasskeyPage,
  optionsAction,
  newPasskeyAction,
  passkeyPage,
  renameAction,
  removeAction,
]

/** The passkey in the URL, if it is the viewer's own. */
async function ownPasskey({ params, viewer, services }: OwnContext): Promise<PasskeyRecord> {
  const own = { userId: viewer.userId, passkeyId: params['passkeyId'] ?? '' }
  const passkey = await findPasskey(services.accounts.access.db, own)
  if (!passkey) throw new PageError('notFound')
  return passkey
}

function nameMessages(error: unknown, { words }: OwnContext): FieldMessages {
  if (error instanceof Refusal && error.status === 400 && 'name' in error.body) {
    return { name: [words.security.passkeys.badName] }
  }
  throw error
}

const nameField = ({ words }: OwnContext, messages: FieldMessages, value: string): Html =>
  textField({
    name: 'name',
    label: words.security.passkeys.name,
    help: words.security.passkeys.nameHelp,
    value,
    errors: messages['name'],
    optional: words.frame.optional,
    maxlength: MAX_PASSKEY_NAME_LENGTH,
  })

function newPasskeyView(context: OwnContext, { messages = {}, note, status, headers }: FormState): View {
  const { frame, security } = context.words
  const words = security.passkeys
  const { mustEnrol } = context.viewer
  const form = passkeyForm(context, {
    action: `${PATH}/new`,
    options: `${PATH}/options`,
    kind: 'create',
    label: words.add,
    look: 'primary',
    fields: nameField(context, messages, context.given['name'] ?? ''),
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
    script: 'passkeys',
  })
}

async function passkeyView(context: OwnContext, { messages = {}, note, status, headers }: FormState): Promise<View> {
  const passkey = await ownPasskey(context)
  const { frame, security } = context.words
  const words = security.passkeys
  const at = `${PATH}/${passkey.id}`
  const rename = html`${nameField(context, messages, passkey.name)}${actions(button(words.rename, 'plain'), buttonLink(frame.cancel, PATH))}`
  const remove = html`${presentPasswordField(context, messages)}${actions(button(words.remove, 'danger'))}`
  const content = html`${note}${postForm(context, { action: `${at}/rename`, body: rename })}
<section class="stack"><h2>${words.remove}</h2><p class="measure">${words.removeHelp}</p>
${postForm(context, { action: `${at}/remove`, body: remove })}</section>`
  return settingsView(context, '/settings/account', { title: passkey.name || words.unnamed, content, status, headers })
}

function passkeyTable(context: OwnContext, passkeys: readonly PasskeyRecord[]): Html {
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
