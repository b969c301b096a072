// Which engines are asked without a key: what an administrator has chosen on the website, unless the environment says it
// (KEYLESS). Engines are bound when an instance starts, so another choice holds from the next start on.
import type { Kysely } from 'kysely'
import type { Schema } from '../storage/schema.ts'

export const KEYLESS_CHOICES = ['none', 'foundations', 'all'] as const
export type Keyless = (typeof KEYLESS_CHOICES)[number]

export interface KeylessChoice {
  /** What this process works with. */
  current: Keyless
  /** The environment says it, and has the last word. */
  isFixed: boolean
  /** The engines that each choice adds to the one before. */
  names: Readonly<Record<Keyless, readonly string[]>>
  /** undefined: nobody has chosen yet. */
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
