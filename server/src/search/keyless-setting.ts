// Which engines are used without a key: the administrator's choice on the website, unless the environment sets it
// (KEYLESS_ENGINES). Engines are bound at startup, so a new choice takes effect at the next start.
import type { Kysely } from 'kysely'
import type { Schema } from '../postgres/schema.ts'

export const KEYLESS_CHOICES = ['none', 'foundations', 'all'] as const
export type Keyless = (typeof KEYLESS_CHOICES)[number]

export interface KeylessChoice {
  /** The choice in effect in this process. */
  current: Keyless
  /** Set by the environment, which overrides the stored choice. */
  isFixed: boolean
  /** The engines that each choice adds to the one before. */
  names: Readonly<Record<Keyless, readonly string[]>>
  /** undefined: no choice is stored. */
  read: () => Promise<Keyless | undefined>
  choose: (choice: Keyless) => Promise<void>
}

const NAME = 'keyless'

export function createKeylessChoice(
  db: Kysely<Schema>,
  { current, isFixed, names }: Pick<KeylessChoice, 'current' | 'isFixed' | 'names'>,
): KeylessChoice {
  return {
    current,
    isFixed,
    names,
    read: () => readKeyless(db),
    async choose(value) {
      await db
        .insertInto('instance_choices')
        .values({ name: NAME, value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
  }
}

export async function readKeyless(db: Kysely<Schema>): Promise<Keyless | undefined> {
  const row = await db.selectFrom('instance_choices').select('value').where('name', '=', NAME).executeTakeFirst()
  return KEYLESS_CHOICES.find((choice) => choice === row?.value)
}
