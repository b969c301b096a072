// Creating and revoking the keys of a service, for administrators. Those of people are theirs alone: for anyone but a
// service these paths are a 404.
import { z } from 'zod'
import type { UserRecord } from '../../accounts/users.ts'
import { createKey, revokeOwnKey } from '../../keys/keys.ts'
import { PageError } from '../http/error-pages.ts'
import { definePage } from '../http/page.ts'
import { notice } from '../parts/notice.ts'
import { actingAccess, type SignedInContext, textInput } from './account-forms.ts'
import { isValidName, newSecretView, orRefusal } from './key-pages.ts'
import { requestedUser, userView } from './user-pages.ts'

const MANAGE_PATH = '/admin/users/:username/manage'

const newKeyAction = definePage({
  method: 'POST',
  path: '/admin/users/:username/keys',
  access: 'admin',
  stepUp: MANAGE_PATH,
  form: () => z.object({ name: textInput }),
  async handle(context) {
    const { words, submitted } = context
    const service = await requestedService(context)
    const { name = '' } = submitted
    if (!isValidName(name)) {
      return await userView(context, service, { note: notice('bad', words.accounts.keys.badName), status: 400 })
    }
    const making = createKey(actingAccess(context), { owner: { userId: service.id }, name })
    const issued = await orRefusal(context, making)
    if (!('full' in issued)) return await userView(context, service, issued)
    return newSecretView(context, issued, {
      title: words.people.service.newKey({ name: service.username }),
      back: { path: `/admin/users/${service.username}/manage`, label: words.people.service.back },
    })
  },
})

const revokeKeyAction = definePage({
  method: 'POST',
  path: '/admin/users/:username/keys/:keyId/revoke',
  access: 'admin',
  stepUp: MANAGE_PATH,
  async handle(context) {
    const service = await requestedService(context)
    await revokeOwnKey(actingAccess(context), { userId: service.id, keyId: context.params['keyId'] ?? '' })
    return await userView(context, service, { note: notice('good', context.words.accounts.keys.revoked) })
  },
})

export const serviceAccountPages = [newKeyAction, revokeKeyAction]

async function requestedService(context: SignedInContext): Promise<UserRecord> {
  const user = await requestedUser(context)
  if (!user.isService) throw new PageError('notFound')
  return user
}
