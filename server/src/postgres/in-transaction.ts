// Runs work in a transaction: the current one, or a new one.
import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

export const inTransaction = <Result>(
  db: Kysely<Schema>,
  work: (transaction: Kysely<Schema>) => Promise<Result>,
): Promise<Result> => (db.isTransaction ? work(db) : db.transaction().execute(work))
