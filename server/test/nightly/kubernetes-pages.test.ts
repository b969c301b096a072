// The commands of docs/install/kubernetes.md that need no cluster: kubectl puts the manifests together, and the compiler
// checks what comes out. Debian 12's kubectl is too old for these files.
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type KubernetesObject, mistakesInManifests, readManifests } from '../support/kubernetes-manifest.ts'
import { blocksRunBy, openPageShell } from '../support/page-commands.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const BLOCKS = blocksRunBy('docs/install/kubernetes.md', 'kubernetes-pages')
const OLDEST_MINOR = 27

function canRender(): boolean {
  try {
    const version = execFileSync('kubectl', ['version', '--client', '--output=json'], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    if (Number.parseInt(JSON.parse(version).clientVersion.minor, 10) >= OLDEST_MINOR) return true
  } catch {
    // It isn't installed, or so old that it doesn't know these options.
  }
  process.stderr.write(`Skipped: no kubectl 1.${OLDEST_MINOR} or later here.\n`)
  return false
}

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bb-kubernetes-'))
  await cp(join(ROOT, 'deploy/kubernetes'), join(folder, 'deploy/kubernetes'), { recursive: true })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** What the last command of a section prints. */
async function renderedBy(heading: string): Promise<KubernetesObject[]> {
  const shell = await openPageShell({ cwd: folder, env: { PATH: process.env['PATH'] ?? '' } })
  try {
    let printed = ''
    for (const block of BLOCKS.filter((candidate) => candidate.heading === heading))
      printed = await shell.run(block.commands)
    return readManifests(printed)
  } finally {
    await shell.close()
  }
}

const kindsOf = (manifests: KubernetesObject[]): string[] => [...new Set(manifests.map(({ kind }) => kind))].toSorted()

describe.skipIf(!canRender())('docs/install/kubernetes.md', () => {
  it('renders several pods with all that belongs to them, of the image that the overlay names', async () => {
    const manifests = await renderedBy('Settings')
    expect(await mistakesInManifests(manifests)).toBe('')
    expect(kindsOf(manifests)).toEqual([
      'CronJob',
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'Namespace',
      'NetworkPolicy',
      'PersistentVolumeClaim',
      'PodDisruptionBudget',
      'Secret',
      'Service',
      'ServiceAccount',
    ])
    const text = JSON.stringify(manifests)
    expect(text).not.toContain('localhost/bowerbird')
    expect(text.match(/registry\.example\.org\/bowerbird:0\.1\.0/g)).toHaveLength(4)
    // The nodes restart when the Secret's name changes, so every pod must use the generated one.
    const secret = manifests.find(({ kind }) => kind === 'Secret')?.metadata.name
    expect(secret).toMatch(/^bowerbird-settings-\w+$/)
    expect(text).not.toContain('"name":"bowerbird-settings"')
  })

  it('gives every pod the certificate of a private CA', async () => {
    await cp(join(folder, 'deploy/kubernetes/example'), join(folder, 'deploy/kubernetes/production'), {
      recursive: true,
    })
    await writeFile(join(folder, 'deploy/kubernetes/production/ca.pem'), 'a certificate')
    const manifests = await renderedBy('A private CA')
    expect(await mistakesInManifests(manifests)).toBe('')
    const withPods = manifests.filter(({ kind }) => ['CronJob', 'Deployment', 'Job'].includes(kind))
    expect(withPods).toHaveLength(4)
    for (const manifest of withPods) {
      const text = JSON.stringify(manifest)
      expect(text).toMatch(/"configMap":\{"name":"bowerbird-ca-\w+"\}/)
      expect(text).toContain('"mountPath":"/etc/bowerbird"')
      expect(text.match(/"mountPath":"\/backups"/g) ?? []).toHaveLength(manifest.kind === 'CronJob' ? 1 : 0)
    }
  })

  it('renders one pod with neither PostgreSQL nor Redis', async () => {
    const manifests = await renderedBy('One pod')
    expect(await mistakesInManifests(manifests)).toBe('')
    expect(kindsOf(manifests)).not.toContain('HorizontalPodAutoscaler')
    expect(await readFile(join(folder, 'deploy/kubernetes/production/bowerbird.env'), 'utf8')).not.toContain('_URL=…')
  })
})
