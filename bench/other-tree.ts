// Another revision of this repository, checked out beside it for a comparison.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface OtherTree {
  root: string
  remove: () => void
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

export function checkOut(ref: string): OtherTree {
  const root = mkdtempSync(join(tmpdir(), 'bowerbird-bench-'))
  git('worktree', 'add', '--detach', '--force', root, ref)
  const changed = git('diff', '--name-only', ref, '--', 'package-lock.json') !== ''
  if (changed)
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], { cwd: root })
  else linkModules(root)
  return { root, remove: () => git('worktree', 'remove', '--force', root) }
}

/** Uses the dependencies installed here. */
function linkModules(root: string): void {
  for (const folder of ['.', 'server', 'sandbox']) {
    const modules = resolve(folder, 'node_modules')
    if (existsSync(modules)) symlinkSync(modules, join(root, folder, 'node_modules'))
  }
}
