// What Node is told about the process that extracts pages: no network, files, child processes and threads (Node's
// permission model; on Node 24 it does not cover the network), a small heap, and no `eval`. It may read its own folder,
// where a release has all that it needs; from source also the packages that Node would find from there.
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('./extract-process.ts', import.meta.url))

const MAX_HEAP_MB = 80
const MAX_YOUNG_HEAP_MB = 4

/** The `node_modules` folders of a folder and of those above it. */
function packageFolders(folder: string): string[] {
  const above = dirname(folder)
  const own = join(folder, 'node_modules')
  return [...(existsSync(own) ? [realpathSync(own)] : []), ...(above === folder ? [] : packageFolders(above))]
}

export function extractProcessArguments(): string[] {
  const folder = dirname(FILE)
  const packages = FILE.endsWith('.ts') ? packageFolders(folder) : []
  return [
    '--permission',
    ...[folder, ...packages].map((readable) => `--allow-fs-read=${readable}/*`),
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${MAX_HEAP_MB}`,
    `--max-semi-space-size=${MAX_YOUNG_HEAP_MB}`,
    '--expose-gc',
    FILE,
  ]
}
