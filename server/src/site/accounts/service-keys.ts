// The keys of a service, on its page under Administration → Users: nobody signs in to manage them, so administrators do.
import type { Accounts } from '../../accounts/accounts.ts'
import type { UserRecord } from '../../accounts/users.ts'
import { type KeyRecord, listKeys } from '../../keys/key-records.ts'
import { type Html, html } from '../http/html.ts'
import { dataTable } from '../parts/data-table.ts'
import { actions, button, postForm, textField } from '../parts/form.ts'
import { showPast } from '../parts/formats.ts'
import type { SignedInContext } from './account-forms.ts'
import { nameOf, prefixOf } from './key-pages.ts'

export async function serviceKeys(
  accounts: Accounts,
  context: SignedInContext,
  { username }: UserRecord,
): Promise<Html> {
  const { people } = context.words
  const words = context.words.accounts.keys
  const keys = await listKeys(accounts.access, { username })
  const active = keys.filter(({ state }) => state === 'active')
  const action = `/admin/users/${username}/keys`
  const field = textField({ name: 'name', label: people.service.keyName, maxlength: 100 })
  return html`<section class="stack"><h2>${words.title}</h2><p class="measure">${people.service.keysHelp}</p>
${active.length > 0 && keyTable(context, active, action)}
${postForm(context, { action, body: html`${field}${actions(button(words.create, 'plain'))}` })}</section>`
}

function keyTable(context: SignedInContext, keys: readonly KeyRecord[], action: string): Html {
  const words = context.words.accounts.keys
  const revoke = (id: string) =>
    postForm(context, { action: `${action}/${id}/revoke`, body: button(words.revoke, 'plain'), isInline: true })
  return dataTable(
    words.caption,
    [
      { label: words.key, isHeading: true, cell: (key) => html`<span>${nameOf(key, context)} ${prefixOf(key)}</span>` },
      { label: words.created, cell: ({ createdAt }) => showPast(createdAt, context) },
      { label: words.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? showPast(lastUsedAt, context) : words.never) },
      { label: words.actions, cell: ({ id }) => revoke(id) },
    ],
    keys,
  )
}
