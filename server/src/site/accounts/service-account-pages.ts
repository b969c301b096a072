// Creating and revoking the keys of a service, for administrators. Those of people are theirs alone: for anyone but a
// service these paths are a 404.
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { UserRecord } from '../../accounts/users.ts'
import { createKey, revokeOwnKey } from '../../keys/keys.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage, type Page } from '../http/page.ts'
import { notice } from '../parts/notice.ts'
import { actingAccess, type SignedInContext, textInput } from './account-forms.ts'
import { isValidName, newSecretView, orRefusal } from './key-pages.ts'
import { requestedUser, userView } from './user-pages.ts'

export interface ServiceAccountPagesParts {
  accounts: Accounts
}

const MANAGE_PATH = '/admin/users/:username/manage'

const newKeyForm = () => z.object({ name: textInput })

const newKeyAction = ({ accounts }: ServiceAccountPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/users/:username/keys',
    access: 'admin',
    stepUp: MANAGE_PATH,
    form: newKeyForm,
    async handle(context) {
      const { words, submitted } = context
      const service = await requestedService(accounts, context)
      const { name = '' } = submitted
      if (!isValidName(name)) {
        return await userView(accounts, context, service, {
          note: notice('bad', words.accounts.keys.badName),
          status: 400,
        })
      }
      const making = createKey(actingAccess(accounts, context), { owner: { userId: service.id }, name })
      const issued = await orRefusal(context, making)
      if (!('full' in issued)) return await userView(accounts, context, service, issued)
      return newSecretView(context, issued, {
        title: words.people.service.newKey({ name: service.username }),
        back: { path: `/admin/users/${service.username}/manage`, label: words.people.service.back },
      })
    },
  })

const revokeKeyAction = ({ accounts }: ServiceAccountPagesParts) =>
  definePage({
    method: 'POST',
    path: '/admin/users/:username/keys/:keyId/revoke',
    access: 'admin',
    stepUp: MANAGE_PATH,
    async handle(context) {
      const service = await requestedService(accounts, context)
      await revokeOwnKey(actingAccess(accounts, context), { userId: service.id, keyId: context.params['keyId'] ?? '' })
      return await userView(accounts, context, service, { note: notice('good', context.words.accounts.keys.revoked) })
    },
  })

export const serviceAccountPages = (parts: ServiceAccountPagesParts): Page[] => [
  newKeyAction(parts),
  revokeKeyAction(parts),
]

async function requestedService(accounts: Accounts, context: SignedInContext): Promise<UserRecord> {
  const user = await requestedUser(accounts, context)
  if (!user.isService) throw new PageError('notFound')
  return user
}
