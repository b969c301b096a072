// The migration that adds the usage of all keys together.
import { sql } from 'kysely'
import type { SchemaStep } from '../migration-runner.ts'

/**
 * The usage of all keys together on days whose usage no longer changes. A day without any has a row for no endpoint.
 */
export const usageTotals: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table usage_totals (
        day date not null,
        endpoint text not null,
        count bigint not null,
        primary key (day, endpoint)
      )`.execute(db)
  },
}
