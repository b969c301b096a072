// The migration that adds what each engine contributed to searches.
import { sql } from 'kysely'
import type { SchemaStep } from '../migration-runner.ts'

export const engineContributions: SchemaStep = {
  isAdditive: true,
  async up(db) {
    await sql`
      create table engine_contributions (
        day date not null,
        engine text not null,
        source text not null,
        searches bigint not null default 0,
        results bigint not null default 0,
        returned bigint not null default 0,
        alone bigint not null default 0,
        calls bigint not null default 0,
        failures bigint not null default 0,
        answer_ms bigint not null default 0,
        primary key (day, engine, source)
      ) with (fillfactor = 70)`.execute(db)
  },
}
