// Release notes are the changelog section for that version and nothing else.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { changelogSection } from '../../tools/changelog-section.ts'

const CHANGELOG = `# Changelog

Newest first.

## 1.10.0, not released yet

- Tides.

## 1.1.0, 2027-02-03

Two things.

- **Maps** of the sea.

### Fixed

- Harbours.

## 1.0.1, 2027-01-02

## 1.0.0-rc.1, 2026-12-24

- The first one.
`

describe('changelogSection', () => {
  it('is everything between the heading of the version and the next one', () => {
    expect(changelogSection(CHANGELOG, '1.1.0')).toBe(
      'Two things.\n\n- **Maps** of the sea.\n\n### Fixed\n\n- Harbours.',
    )
  })

  it('takes the section of the oldest version to the end of the file', () => {
    expect(changelogSection(CHANGELOG, '1.0.0-rc.1')).toBe('- The first one.')
  })

  it('rejects a version without a section, even if it is a prefix of another', () => {
    for (const version of ['1.1', '1.0.0', '1.1.0,', '2.0.0', '']) {
      expect(() => changelogSection(CHANGELOG, version)).toThrow('has no section')
    }
  })

  it('rejects a version that is not released yet', () => {
    expect(() => changelogSection(CHANGELOG, '1.10.0')).toThrow('no release date for 1.10.0')
  })

  it('rejects a version with an empty section', () => {
    expect(() => changelogSection(CHANGELOG, '1.0.1')).toThrow('says nothing about 1.0.1')
  })
})

it('the heading of the current version can be released', () => {
  const read = (path: string) => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8')
  const { version }: { version: string } = JSON.parse(read('server/package.json'))
  const onReleaseDay = read('CHANGELOG.md').replace(`## ${version}, not released yet`, `## ${version}, 2026-11-20`)
  expect(changelogSection(onReleaseDay, version)).toMatch(/\S/)
})
