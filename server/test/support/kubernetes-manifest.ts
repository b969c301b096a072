// Kubernetes objects, checked by the compiler against types that are generated from Kubernetes' own API: a mistyped
// member, a wrong type or a missing one is an error.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseAllDocuments } from 'yaml'

const MODULES = resolve(import.meta.dirname, '../../../node_modules')
const OPTIONS = ['--noEmit', '--strict', '--module', 'preserve', '--pretty', 'false']

export interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels?: Record<string, string> }
}

export const readManifests = (yaml: string): KubernetesObject[] =>
  parseAllDocuments(yaml, { strict: true, uniqueKeys: true }).map((document) => {
    const [error] = document.errors
    if (error) throw error
    // The compiler checks it.
    return document.toJS() as KubernetesObject
  })

/** `apps/v1` is `apps/v1`, `v1` is `core/v1`, `networking.k8s.io/v1` is `networking/v1`. */
function typesOf(apiVersion: string): string {
  const [group = '', version = group] = apiVersion.split('/')
  return join(MODULES, 'kubernetes-types', version === group ? 'core' : (group.split('.')[0] ?? ''), version)
}

/** The compiler's errors, one a line; empty if there are none. */
export async function mistakesInManifests(manifests: KubernetesObject[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bb-manifests-'))
  try {
    const lines = manifests.map(
      (manifest, index) =>
        `export const object${index}: import('${typesOf(manifest.apiVersion)}').${manifest.kind} = ${JSON.stringify(manifest)}`,
    )
    const file = join(folder, 'manifests.ts')
    await writeFile(file, `${lines.join('\n')}\n`)
    return await new Promise((done) => {
      const command = [join(MODULES, 'typescript/bin/tsc'), ...OPTIONS, file]
      execFile(process.execPath, command, { cwd: folder }, (_, stdout, stderr) => done(`${stdout}${stderr}`.trim()))
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
