// The command `docker` for the pages that use it: Podman with its own storage, and with what a sandboxed build machine
// needs. `docker compose` is podman-compose. Nothing is pulled: the base image is a fresh Debian.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startSandbox } from '@bowerbird/sandbox'
import { sandboxSettings } from '../../src/demo/sandbox-settings.ts'
import { buildOptions, makeBase } from './container-image.ts'

const execute = promisify(execFile)

export interface DockerShim {
  /** With the shim in front. */
  path: string
  storage: string[]
  run: (args: string[]) => Promise<string>
  remove: () => Promise<void>
}

export async function createDockerShim(): Promise<DockerShim> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-docker-'))
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
  await makeBase(storage)
  const bin = join(folder, 'bin')
  const networks = join(folder, 'networks')
  for (const own of [bin, networks]) await mkdir(own)
  const others = ['--network-config-dir', networks, '--cgroup-manager=cgroupfs', '--runtime', 'runc']
  const podman = ['/usr/bin/podman', ...storage, ...others].join(' ')
  const script = `#!/bin/sh
case $1 in
  compose)
    shift
    # podman-compose 1.0.3 writes its messages to the output of the command.
    [ "$1 $2" != 'exec -T' ] || { container=deploy_$3_1; shift 3; exec ${podman} exec "$container" "$@"; }
    exec podman-compose "$@" ;;
  build)
    shift
    # Layers would be copies of the whole file system here. Without them, the same clone isn't built twice.
    ! ${podman} image exists localhost/bowerbird || exit 0
    exec ${podman} build --format docker --layers=false ${(await buildOptions(folder)).join(' ')} "$@" ;;
  run | create) command=$1; shift; exec ${podman} "$command" --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 "$@" ;;
  *) exec ${podman} "$@" ;;
esac
`
  // podman-compose calls podman.
  for (const name of ['docker', 'podman']) await writeFile(join(bin, name), script, { mode: 0o755 })
  return {
    path: `${bin}:${process.env['PATH']}`,
    storage,
    run: async (args) => (await execute(join(bin, 'docker'), args)).stdout,
    async remove() {
      await execute(join(bin, 'docker'), ['rm', '--all', '--force', '--time', '0'])
      await execute(join(bin, 'docker'), ['network', 'prune', '--force'])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Simulated providers that containers can reach, and the settings for them. */
export async function startReachableSandbox() {
  const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list)
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)
  const sandbox = await startSandbox({ host: own?.address ?? '127.0.0.1' })
  return { sandbox, settings: sandboxSettings((slug) => sandbox.urlOf(slug)) }
}

/** In the form of an environment file. */
export const toEnvFile = (settings: Record<string, string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
