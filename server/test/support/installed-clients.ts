// Other people's clients (`tools/compat-clients`), installed into a temporary folder, so that they aren't dependencies of
// this repository.
import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

export const COMPAT_CLIENTS = resolve(import.meta.dirname, '../../../tools/compat-clients')

const run = promisify(execFile)

/** Returns the folder that they are in. */
export async function installClients(temporaryFolder: string): Promise<string> {
  const folder = join(temporaryFolder, 'compat-clients')
  await cp(COMPAT_CLIENTS, folder, { recursive: true, filter: (name) => !name.includes('node_modules') })
  await run('npm', ['ci', '--loglevel=error', '--prefer-offline'], { cwd: folder })
  return folder
}
