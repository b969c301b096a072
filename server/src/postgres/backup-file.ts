// Writes a backup to a file that only its owner can read. The file gets its name once it's complete, and never replaces
// another.
import { link, open, rm } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { Refusal } from '../errors.ts'
import { type BackupSummary, writeBackup } from './backup.ts'
import type { Schema } from './schema.ts'

export async function writeBackupFile(db: Kysely<Schema>, path: string): Promise<BackupSummary> {
  const partial = `${path}.partial`
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      const summary = await writeBackup(db, file.createWriteStream({ flush: true }))
      await link(partial, path)
      return summary
    } finally {
      await rm(partial, { force: true })
    }
  } catch (error) {
    throw explain(error, path)
  }
}

function explain(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EEXIST') return new Refusal(409, `${path} exists already, or is being written. Choose another name.`)
  if (!/^E[A-Z]+$/.test(code) || code.startsWith('ECONN')) return error
  return new Refusal(400, `${path} cannot be written (${code}).`)
}
