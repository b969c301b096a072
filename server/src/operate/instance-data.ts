// Where an instance keeps its data, in words: commands print it before they act, because one that is started in another
// folder or without its settings would act on other data.
import { resolve } from 'node:path'
import { Refusal } from '../errors.ts'
import type { Configuration } from '../settings/configuration.ts'
import { NoDatabase } from '../store/data-folder.ts'

/** One line, without the password. */
export function describeData({ databaseUrl, dataFolder }: Pick<Configuration, 'databaseUrl' | 'dataFolder'>): string {
  if (databaseUrl === undefined) return `Data: ${resolve(dataFolder)} (built-in database)`
  const { username, hostname, port, pathname } = new URL(databaseUrl)
  return `Data: PostgreSQL ${username && `${username}@`}${hostname}:${port || 5432}${pathname}`
}

/** Tells where the data folder comes from if there is no database in it. Returns any other error itself. */
export function explainNoDatabase(error: unknown, isFolderSet: boolean): unknown {
  if (!(error instanceof NoDatabase)) return error
  const origin = isFolderSet ? 'set by DATA_DIR' : 'the default, because DATA_DIR is not set'
  return new Refusal(
    'conflict',
    `There is no database in ${resolve(error.dataFolder)} (${origin}). Set DATA_DIR to the data folder of your instance, or start a new one with bowerbird serve, which creates it.`,
  )
}
