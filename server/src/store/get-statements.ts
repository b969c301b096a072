// Chooses the form of the statements that the two stores can't share.
import { type Kysely, SqliteAdapter } from 'kysely'
import { POSTGRES } from './postgres-statements.ts'
import type { Schema } from './schema.ts'
import { SQLITE } from './sqlite-statements.ts'
import type { Statements } from './statements.ts'

export const getStatements = (db: Kysely<Schema>): Statements =>
  db.getExecutor().adapter instanceof SqliteAdapter ? SQLITE : POSTGRES
