// Account settings: how long sessions and temporary passwords last, who must have a second factor, how long security
// events are kept, and how many keys a user may have.
import { type AccountPolicy, DEFAULT_POLICY } from '../accounts/account-policy.ts'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { type Reading, together } from '../config/reading.ts'
import { setting } from '../config/setting.ts'
import { MAX_KEYS_PER_USER } from '../keys/keys.ts'

export interface AccountConfiguration {
  policy: AccountPolicy
  auditRetentionDays: number
  maxKeysPerUser: number
}

export function readAccountConfiguration(reader: EnvironmentReader): Reading<AccountConfiguration> {
  const { sessionMaxDays, temporaryPasswordDays, requireSecondFactor } = DEFAULT_POLICY
  const days = (env: string, usual: number, max: number) => reader.integer(setting(env, String(usual)), { min: 1, max })
  return together<AccountConfiguration>({
    policy: together<AccountPolicy>({
      sessionMaxDays: days('SESSION_MAX_DAYS', sessionMaxDays, 365),
      temporaryPasswordDays: days('TEMPORARY_PASSWORD_DAYS', temporaryPasswordDays, 90),
      requireSecondFactor: reader.choice(setting('REQUIRE_SECOND_FACTOR', requireSecondFactor), [
        'off',
        'admins',
        'all',
      ]),
    }),
    auditRetentionDays: days('AUDIT_RETENTION_DAYS', 365, 3_650),
    maxKeysPerUser: reader.integer(setting('MAX_KEYS_PER_USER', String(MAX_KEYS_PER_USER)), { min: 1, max: 1_000_000 }),
  })
}
