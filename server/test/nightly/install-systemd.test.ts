// docs/install/systemd.md, command by command, on this machine's own paths: a mount namespace keeps every change to
// /etc, /opt, /usr/local and /var to itself. There's no systemd in it, so a small `systemctl` starts what the unit says,
// as the user that it names.
import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startSandbox } from '@bowerbird/sandbox'
import { afterAll, beforeAll, expect } from 'vitest'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { writeNpmrc } from '../support/container-image.ts'
import { toEnvFile } from '../support/docker-shim.ts'
import { describePage, expectResults, keyIn, rowsIn, SHOWN_KEY, setUpByLink } from '../support/install-story.ts'
import { cloneTo } from '../support/own-clone.ts'
import { openPageShell, type PageShell } from '../support/page-commands.ts'

const PORT = 20_809
const TEST_MS = 600_000
const ROOT = resolve(import.meta.dirname, '../../..')
const execute = promisify(execFile)

/** What differs from a reader's machine. */
const replacements: Record<string, string> = {
  '127.0.0.1:8080': `127.0.0.1:${PORT}`,
  // The tests run as root.
  'sudo ': '',
}

/** Mounts a copy of each folder that is written to, and runs the rest of the command line there. */
const OWN_FOLDERS = `set -e
cd "$1"; shift
mkdir layers; mount -t tmpfs tmpfs layers
for folder in etc opt usr/local var/lib var/backups; do
  layer="$PWD/layers/\${folder//\\//-}"
  mkdir "$layer" "$layer.work"
  [ "$folder" != etc ] || cp /etc/resolv.conf /etc/hosts "$layer"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$layer,workdir=$layer.work" "/$folder"
done
cd bowerbird
exec "$@"
`

const SYSTEMCTL = `#!/bin/bash
set -e
unit=/etc/systemd/system/bowerbird.service
value() { sed -n "s/^$1=//p" "$unit"; }
start() {
  folder=/var/lib/$(value StateDirectory)
  mkdir -p "$folder"; chown "$(value User):" "$folder"; chmod "$(value StateDirectoryMode)" "$folder"
  mapfile -t settings < <(grep = "$(value EnvironmentFile | tr -d -)")
  cd "$(value WorkingDirectory)"
  setpriv --reuid="$(value User)" --regid="$(value User)" --init-groups \\
    env -i $(value Environment) "\${settings[@]}" $(value ExecStart) >>/var/lib/journal 2>&1 &
  echo $! >/var/lib/main-process
}
stop() {
  kill "$(cat /var/lib/main-process)"
  tail --pid="$(cat /var/lib/main-process)" --follow /dev/null
}
case $1 in
  enable) start ;;
  disable) stop ;;
  restart) stop; start ;;
  *) "$1" ;;
esac
`

const canMount = process.getuid?.() === 0
if (!canMount) process.stderr.write('\nSKIPPED: docs/install/systemd.md was not run. It needs the root user.\n\n')
const parts = new AsyncDisposableStack()
let folder: string
let shell: PageShell
let settings: Record<string, string>

/** Packs this repository's Node.js in the form in which nodejs.org does. */
async function packNode(): Promise<void> {
  const node = join(folder, 'node-v26.0.0-linux-x64')
  await mkdir(join(node, 'bin'), { recursive: true })
  await cp(realpathSync(join(ROOT, 'node_modules/.bin/node')), join(node, 'bin/node'))
  const modules = (await execute('npm', ['root', '--global'])).stdout.trim()
  await cp(join(modules, 'npm'), join(node, 'lib/node_modules/npm'), { recursive: true })
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(node, 'bin/npm'))
  const archive = join(folder, 'bowerbird/node-v26.0.0-linux-x64.tar.xz')
  await execute('tar', ['--create', '--use-compress-program=xz -0', '--file', archive, 'node-v26.0.0-linux-x64'], {
    cwd: folder,
  })
}

beforeAll(async () => {
  if (!canMount) return
  folder = await mkdtemp(join(tmpdir(), 'bb-install-systemd-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  await cloneTo(folder)
  await packNode()
  const sandbox = await startSandbox()
  parts.defer(() => sandbox.close())
  settings = {
    ...sandboxSettings((slug) => sandbox.urlOf(slug)),
    SEARCH_TIMEOUT_MS: '10000',
    PORT: String(PORT),
    DRAIN_SECONDS: '0',
  }
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'systemctl'), SYSTEMCTL, { mode: 0o755 })
  await writeFile(join(bin, 'journalctl'), '#!/bin/sh\ncat /var/lib/journal\n', { mode: 0o755 })
  await writeFile(join(folder, 'own-folders'), OWN_FOLDERS)
  const { npmrc, cache } = await writeNpmrc(folder)
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    HOME: folder,
    npm_config_userconfig: npmrc,
    npm_config_cache: cache,
  }
  const within = ['unshare', '--mount', 'bash', join(folder, 'own-folders'), folder]
  shell = await openPageShell({ cwd: folder, env, replacements, within })
  parts.defer(() => shell.close())
}, TEST_MS)
afterAll(() => parts.disposeAsync(), TEST_MS)

const READY = `until curl --silent --fail http://127.0.0.1:${PORT}/readyz >/dev/null; do sleep 0.2; done`

describePage('docs/install/systemd.md', 'install-systemd', {
  shell: () => shell,
  timeout: TEST_MS,
  skip: !canMount,
  afterwards: {
    'Install 3': () => shell.run(`cat >> /etc/bowerbird/bowerbird.env <<'END'\n${toEnvFile(settings)}END`),
    'Install 4': async () => {
      await shell.run(READY)
      const owner = 'ps -o user= -p "$(cat /var/lib/main-process)"; stat --format %U:%a /var/lib/bowerbird'
      expect((await shell.run(owner)).trim().split(/\s+/)).toEqual(['bowerbird', 'bowerbird:700'])
    },
    'Install 5': (printed) => expect(printed).toContain('Data: /var/lib/bowerbird (built-in database)'),
    'First account 1': (printed) => setUpByLink(printed),
    'First key and first search 1': (printed) => {
      replacements[SHOWN_KEY] = keyIn(printed)
    },
    'First key and first search 2': expectResults,
    'Back up 1': async () => {
      await shell.run(`cp /var/backups/bowerbird.backup ${folder}/first.backup`)
      await shell.run('bowerbird key create alice --name later')
    },
    'Restore 1': async (printed) => {
      expect(printed).toMatch(/Restored \d+ rows/)
      await shell.run(`${READY}\nbowerbird backup ${folder}/again.backup`)
      expect(await rowsIn(join(folder, 'again.backup'))).toEqual(await rowsIn(join(folder, 'first.backup')))
    },
    'Upgrade 1': async () => {
      const search = `curl --silent --header "Authorization: Api-Key $KEY" 'http://127.0.0.1:8080/api/v1/web/?q=oak'`
      expectResults(await shell.run(`${READY}\n${search}`))
    },
    'Uninstall 1': async () => {
      const left = 'find /etc /opt /usr/local/bin /var/lib -maxdepth 2 -name "*bowerbird*"'
      expect(await shell.run(left)).toBe('')
    },
  },
})
