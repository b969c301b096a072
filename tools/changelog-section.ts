// `node tools/changelog-section.ts 0.1.0`: prints the section of CHANGELOG.md for one version, for the notes of its
// release. A version that is missing, empty or still marked as unreleased is refused: that release was not prepared.
import { readFileSync } from 'node:fs'

/** A heading is `## 0.1.0, 2026-11-20`, or `## 0.1.0, not released yet` before its release. */
const HEADING = /^## (?<version>[^\s,]+)(?:, (?<date>.+))?$/
const DATE = /^\d{4}-\d{2}-\d{2}$/

export function changelogSection(changelog: string, version: string): string {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => HEADING.exec(line)?.groups?.['version'] === version)
  if (start === -1) throw new Error(`CHANGELOG.md has no section for ${version}.`)
  const date = HEADING.exec(lines[start] ?? '')?.groups?.['date'] ?? ''
  if (!DATE.test(date)) throw new Error(`CHANGELOG.md has no release date for ${version}: "${lines[start]}".`)
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.startsWith('## '))
  const section = rest
    .slice(0, end === -1 ? rest.length : end)
    .join('\n')
    .trim()
  if (section === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`)
  return section
}

if (import.meta.main) {
  try {
    const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8')
    process.stdout.write(`${changelogSection(changelog, process.argv[2] ?? '')}\n`)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
