// The images that deploy/compose.full.yaml names, made of Debian's PostgreSQL, Redis and Caddy, because none can be
// pulled here. Each behaves like the official one as far as the file uses it.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Creates the role, the database and the folder at the first start, as the official image does. */
const START_POSTGRES = `#!/bin/sh -e
data=/var/lib/postgresql/data
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
if [ ! -e "$data/PG_VERSION" ]; then
  install --directory --owner=postgres --mode=700 "$data" /run/postgresql
  printf %s "$POSTGRES_PASSWORD" > /run/postgresql/password
  as_postgres initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/run/postgresql/password --auth=scram-sha-256
  echo "create database $POSTGRES_DB" | as_postgres postgres --single -D "$data" postgres
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
fi
install --directory --owner=postgres /run/postgresql
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -D "$data" -c listen_addresses='*'
`

/** Only the official image lets other machines in without a password. */
const START_REDIS = `#!/bin/sh
exec /usr/bin/redis-server --protected-mode no "$@"
`

const IMAGES: Record<string, string[]> = {
  'docker.io/library/postgres:17': ['start-postgres'],
  'docker.io/library/redis:7': ['redis-server'],
  'docker.io/library/caddy:2': ['caddy', 'run', '--config', '/etc/caddy/Caddyfile'],
}

/** `storage`: the options that name the container tools' storage. */
export async function makeTeamImages(storage: string[]): Promise<void> {
  const buildah = async (args: string[]) => (await execute('buildah', [...storage, ...args])).stdout.trim()
  const container = await buildah(['from', 'scratch'])
  const root = await buildah(['mount', container])
  const packages = '--include=postgresql,redis-server,caddy,ca-certificates'
  const skipped = ['--dpkgopt=path-exclude=/usr/share/doc/*', '--dpkgopt=path-exclude=/usr/share/man/*']
  await execute('mmdebstrap', ['--quiet', '--variant=apt', packages, ...skipped, 'bookworm', root])
  await writeFile(join(root, 'usr/local/bin/start-postgres'), START_POSTGRES, { mode: 0o755 })
  await writeFile(join(root, 'usr/local/bin/redis-server'), START_REDIS, { mode: 0o755 })
  await buildah([
    'config',
    '--env',
    'PATH=/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/sbin:/usr/bin:/bin',
    container,
  ])
  // The folders where the official images keep data.
  await buildah(['config', '--env', 'XDG_DATA_HOME=/data', container])
  for (const [image, command] of Object.entries(IMAGES)) {
    await buildah(['config', '--cmd', JSON.stringify(command), container])
    await buildah(['commit', '--quiet', container, image])
  }
  await buildah(['rm', container])
}
