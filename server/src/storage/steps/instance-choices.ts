// The migration that adds what administrators have chosen for the whole instance.
import { sql } from 'kysely'
import type { SchemaStep } from '../migration-runner.ts'

export const instanceChoices: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`create table instance_choices (name text primary key, value text not null)`.execute(db)
  },
}
