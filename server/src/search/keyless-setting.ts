// Which engines are used without a key: the administrator's choice on the website, unless the environment sets it
// (KEYLESS_ENGINES). Engines are bound at startup, so a new choice takes effect at the next start.
import type { Kysely } from 'kysely'
import type { Schema } from '../postgres/schema.ts'

/** `foundations`: only engines run by foundations and volunteers, or open to everyone by design. */
export const KEYLESS_CHOICES = ['none', 'foundations', 'all'] as const
export type KeylessChoice = (typeof KEYLESS_CHOICES)[number]

export interface KeylessSetting {
  /** The choice in effect in this process. */
  current: KeylessChoice
  /** Set by the environment, which overrides the stored choice. */
  isFixed: boolean
  /** The engines that each choice adds to the one before. */
  names: Readonly<Record<KeylessChoice, readonly string[]>>
  /** undefined: no choice is stored. */
  read: () => Promise<KeylessChoice | undefined>
  /** `record` records the change, in its transaction. */
  choose: (choice: KeylessChoice, record: (db: Kysely<Schema>) => Promise<void>) => Promise<void>
}

const NAME = 'keyless'

export function createKeylessSetting(
  db: Kysely<Schema>,
  { current, isFixed, names }: Pick<KeylessSetting, 'current' | 'isFixed' | 'names'>,
): KeylessSetting {
  return {
    current,
    isFixed,
    names,
    read: () => readKeylessChoice(db),
    choose: (value, record) =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('instance_choices')
          .values({ name: NAME, value })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
          .execute()
        await record(transaction)
      }),
  }
}

export async function readKeylessChoice(db: Kysely<Schema>): Promise<KeylessChoice | undefined> {
  const row = await db.selectFrom('instance_choices').select('value').where('name', '=', NAME).executeTakeFirst()
  return KEYLESS_CHOICES.find((choice) => choice === row?.value)
}
