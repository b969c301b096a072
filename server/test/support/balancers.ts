// Debian's haproxy and nginx, each with a minimal configuration like an operator's first.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { endWithWorker } from './end-with-worker.ts'
import { eventually } from './eventually.ts'
import { onFreePort } from './on-free-port.ts'

export interface Balancer {
  url: string
  /** What it has written to standard error. */
  logged: () => string
  close: () => Promise<void>
}

const PATIENCE_MS = 5_000

/** `configure` writes the file; `args` get its path. */
export const startBalancer = (
  command: string,
  { args, configure }: { args: (file: string) => string[]; configure: (port: number) => string },
): Promise<Balancer> =>
  onFreePort(async (port) => {
    const folder = await mkdtemp(join(tmpdir(), 'bb-balancer-'))
    const file = join(folder, 'balancer.conf')
    await writeFile(file, configure(port))
    const child = endWithWorker(spawn(command, args(file), { stdio: ['ignore', 'ignore', 'pipe'] }))
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const url = `http://127.0.0.1:${port}`
    const close = async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      await rm(folder, { recursive: true, force: true })
    }
    // Both exit immediately if the port is in use. Any reply will do: no node need be ready yet.
    const isUp = () =>
      fetch(url, { redirect: 'manual' }).then(
        () => true,
        () => child.exitCode !== null,
      )
    if ((await eventually(isUp, PATIENCE_MS)) && child.exitCode === null) return { url, logged: () => said, close }
    await close()
    throw new Error(`${command} did not start: ${said}`)
  })

export interface BalancedNode {
  url: string
  /** Where its health is checked; the main port unless given. */
  adminPort?: string | undefined
  /** The most connections the balancer opens to it; other requests wait in the balancer. */
  maxConnections?: number
}

/** Checks health twice a second, takes a node out after two failures, and never retries a request. */
export const startHaproxy = (nodes: readonly BalancedNode[]): Promise<Balancer> =>
  startBalancer('haproxy', {
    args: (file) => ['-db', '-f', file],
    configure: (port) =>
      [
        'defaults',
        '  mode http',
        '  timeout connect 2s',
        '  timeout client 30s',
        '  timeout server 30s',
        'listen bowerbird',
        `  bind 127.0.0.1:${port}`,
        '  option httpchk GET /readyz',
        ...nodes.map(({ url, adminPort, maxConnections }, at) => {
          const checked = adminPort === undefined ? 'check' : `check port ${adminPort}`
          const bounded = maxConnections === undefined ? '' : ` maxconn ${maxConnections}`
          return `  server node${at} ${new URL(url).host} ${checked} inter 500ms fall 2 rise 2${bounded}`
        }),
        '',
      ].join('\n'),
  })

/**
 * As in `deploy/load-balancer/nginx.conf`. nginx has no health checks: it tries the next node instead. By default it
 * avoids a node for ten seconds after one failure, and replies 502 when it avoids all.
 */
export const startNginx = (nodes: readonly BalancedNode[]): Promise<Balancer> =>
  startBalancer('nginx', {
    args: (file) => ['-p', dirname(file), '-c', file],
    configure: (port) => `
daemon off;
error_log stderr crit;
pid nginx.pid;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  upstream bowerbird {
${nodes.map(({ url }) => `    server ${new URL(url).host} max_fails=2 fail_timeout=2s;`).join('\n')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://bowerbird;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $host;
    }
  }
}
`,
  })
