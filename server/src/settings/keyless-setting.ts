// Which engines are used without a key: the administrator's choice on the website, unless the environment sets it
// (KEYLESS_ENGINES). It is one of the settings in the database.

/** `foundations`: only engines run by foundations and volunteers, or open to everyone by design. */
export const KEYLESS_CHOICES = ['none', 'foundations', 'all'] as const
export type KeylessChoice = (typeof KEYLESS_CHOICES)[number]

export interface KeylessSetting {
  /** The choice in force. */
  readonly current: KeylessChoice
  /** Set by the environment, which overrides the stored choice. */
  isFixed: boolean
  /** The engines that each choice adds to the one before. */
  names: Readonly<Record<KeylessChoice, readonly string[]>>
}
