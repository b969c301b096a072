// Settings → Account → Your data: download everything that is stored about you, or delete the account with it.
import { z } from 'zod'
import { deleteUser } from '../../accounts/delete-user.ts'
import { recordEvent } from '../../audit/audit-log.ts'
import { Refusal } from '../../errors.ts'
import { html } from '../http/html.ts'
import { definePage, type Page, redirectTo, type View } from '../http/page.ts'
import { actions, button, buttonLink, postForm, textField } from '../parts/form.ts'
import { notice } from '../parts/notice.ts'
import { settingsView } from '../parts/settings-view.ts'
import { type AccountExportParts, exportAccount } from './account-export.ts'
import { actingAccess, type FormState, type SignedInContext, textInput } from './account-forms.ts'

const PATH = '/settings/account/data'

const dataPage = definePage({
  method: 'GET',
  path: PATH,
  access: 'user',
  stepUp: PATH,
  handle: (context) => dataView(context, {}),
})

const downloadAction = (parts: AccountExportParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/download`,
    access: 'user',
    stepUp: PATH,
    async handle(context) {
      const exported = await exportAccount(parts, context)
      await recordEvent(actingAccess(parts.accounts, context), {
        event: 'account-exported',
        userId: context.viewer.userId,
      })
      return {
        contentType: 'application/json; charset=utf-8',
        content: `${JSON.stringify(exported, null, 2)}\n`,
        headers: { 'Content-Disposition': 'attachment; filename="bowerbird-account.json"' },
      }
    },
  })

const deleteForm = () => z.object({ username: textInput })

const deleteAction = ({ accounts }: AccountExportParts) =>
  definePage({
    method: 'POST',
    path: `${PATH}/delete`,
    access: 'user',
    stepUp: PATH,
    form: deleteForm,
    async handle(context) {
      const { viewer, words, submitted, isPublic } = context
      if (submitted['username']?.trim().toLowerCase() !== viewer.username) {
        return dataView(context, { messages: { username: [words.people.data.otherName] }, status: 400 })
      }
      try {
        await deleteUser(actingAccess(accounts, context), viewer.username)
      } catch (error) {
        if (!(error instanceof Refusal && error.status === 409)) throw error
        return dataView(context, { note: notice('bad', words.accounts.users.lastAdmin), status: 409 })
      }
      context.endSession()
      return redirectTo(isPublic ? '/' : '/login?done=deleted')
    },
  })

export const accountDataPages = (parts: AccountExportParts): Page[] => [
  dataPage,
  downloadAction(parts),
  deleteAction(parts),
]

function dataView(context: SignedInContext, { messages = {}, note, status }: FormState): View {
  const words = context.words.people.data
  const download = postForm(context, { action: `${PATH}/download`, body: actions(button(words.download, 'plain')) })
  const field = textField({
    name: 'username',
    label: words.confirmName,
    errors: messages['username'],
    autocomplete: 'off',
    maxlength: 64,
  })
  const remove = postForm(context, {
    action: `${PATH}/delete`,
    body: html`${field}${actions(button(words.delete, 'danger'), buttonLink(context.words.frame.cancel, '/settings/account'))}`,
  })
  return settingsView(context, '/settings/account', {
    title: words.title,
    content: html`${note}<section class="stack"><h2>${words.downloadTitle}</h2><p class="measure">${words.downloadHelp}</p>${download}</section>
<section class="stack"><h2>${words.deleteTitle}</h2><p class="measure">${words.deleteHelp}</p>${remove}</section>`,
    status,
  })
}
