// The operator's account policy, read from the environment by `settings/configuration.ts`.

export interface AccountPolicy {
  /** Sessions end this long after sign-in, however often they are used. */
  sessionMaxDays: number
  /** How long a generated password works. */
  temporaryPasswordDays: number
  /** Who must have a second factor. */
  requireSecondFactor: 'off' | 'admins' | 'all'
}

export const DEFAULT_POLICY: AccountPolicy = {
  sessionMaxDays: 90,
  temporaryPasswordDays: 7,
  requireSecondFactor: 'off',
}

export const isFactorRequired = ({ requireSecondFactor }: AccountPolicy, isAdmin: boolean): boolean =>
  requireSecondFactor === 'all' || (requireSecondFactor === 'admins' && isAdmin)
