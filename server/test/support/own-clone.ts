// A clone of this repository, at its last commit, with a branch that can be pulled.
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../../..')
const execute = promisify(execFile)
const git = (args: string[], cwd: string) => execute('git', args, { cwd })

/** Returns its folder. */
export async function cloneTo(folder: string): Promise<string> {
  const { stdout } = await git(['rev-parse', 'HEAD'], ROOT)
  await git(['init', '--bare', '--initial-branch=main', 'origin.git'], folder)
  await git(['push', '--quiet', join(folder, 'origin.git'), `${stdout.trim()}:refs/heads/main`], ROOT)
  await git(['clone', '--quiet', 'origin.git', 'bowerbird'], folder)
  return join(folder, 'bowerbird')
}
