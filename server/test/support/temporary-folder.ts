// A folder for the files of a test run, removed when the run is over: workers are ended before they could remove large
// files themselves. The same goes for databases that the files of a worker share.
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    temporaryFolder: string
  }
}

const DATABASES = 'databases'
const folders: string[] = []

export function setup(project: TestProject): void {
  const folder = mkdtempSync(join(tmpdir(), 'bowerbird-test-'))
  // Some tests check what other users of the machine can access.
  chmodSync(folder, 0o711)
  folders.push(folder)
  project.provide('temporaryFolder', folder)
}

export async function teardown(): Promise<void> {
  for (const folder of folders.splice(0)) {
    await dropDatabases(join(folder, DATABASES))
    await rm(folder, { recursive: true, force: true })
  }
}

export function dropWithRun(folder: string, databaseUrl: string): void {
  appendFileSync(join(folder, DATABASES), `${databaseUrl}\n`)
}

async function dropDatabases(list: string): Promise<void> {
  if (!existsSync(list)) return
  for (const url of readFileSync(list, 'utf8').trim().split('\n')) {
    const name = new URL(url).pathname.slice(1)
    const client = new pg.Client(process.env['TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test')
    await client.connect()
    await client.query(`drop database if exists ${name} with (force)`)
    await client.end()
  }
}
