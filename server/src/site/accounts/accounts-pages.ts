// All account pages, for `site-router.ts`.
import type { Page } from '../http/page.ts'
import { accountPages } from './account-pages.ts'
import { activityPages } from './activity-pages.ts'
import { confirmPages } from './confirm-pages.ts'
import { keyPages } from './key-pages.ts'
import { loginPages } from './login-pages.ts'
import { loginSteps } from './login-steps.ts'
import { manageUserPages } from './manage-user-pages.ts'
import { newKeyPages } from './new-key-pages.ts'
import { passkeyPages } from './passkey-pages.ts'
import { recoveryCodesPages } from './recovery-codes-pages.ts'
import { secondFactorPages } from './second-factor-pages.ts'
import { setupPages } from './setup-pages.ts'
import { userPages } from './user-pages.ts'

export const accountsPages: readonly Page[] = [
  ...loginPages,
  ...loginSteps,
  ...setupPages,
  ...accountPages,
  ...secondFactorPages,
  ...recoveryCodesPages,
  ...passkeyPages,
  ...activityPages,
  ...confirmPages,
  ...keyPages,
  ...newKeyPages,
  ...userPages,
  ...manageUserPages,
]
