// A folder for what a run of tests leaves behind, gone when the run is over: workers are ended before they could remove
// anything of size themselves.
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    temporaryFolder: string
  }
}

const folders: string[] = []

export function setup(project: TestProject): void {
  const folder = mkdtempSync(join(tmpdir(), 'bowerbird-test-'))
  // Some tests look at what other users of the machine can reach.
  chmodSync(folder, 0o711)
  folders.push(folder)
  project.provide('temporaryFolder', folder)
}

export async function teardown(): Promise<void> {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
}
