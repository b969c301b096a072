// The pages that people install, upgrade and restore by: each of their commands is run by a test, or says why not.
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { shellBlocks } from './support/page-commands.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const PAGES = [
  ...['README', 'container', 'systemd', 'team', 'several-machines', 'kubernetes'].map(
    (name) => `docs/install/${name}.md`,
  ),
  'docs/set-up/https.md',
  'docs/operate/upgrade-and-backup.md',
  'docs/operate/monitoring.md',
  'docs/scale/production.md',
]

it.each(PAGES)('%s: every command is run by a test, or says why not', (page) => {
  // In any other language, a block of commands would go unnoticed.
  expect(read(page)).not.toMatch(/^ *```(?:console|bash|shell|zsh)$/m)
  const unmarked = shellBlocks(page).filter(({ runBy, notRun }) => !runBy && !notRun)
  expect(unmarked.map(({ line }) => line)).toEqual([])
})

it.each(PAGES)('%s: the tests that it names run it', (page) => {
  const names = new Set(shellBlocks(page).flatMap(({ runBy }) => runBy ?? []))
  const strangers = [...names].filter((name) => {
    const [path] = globSync(`server/test/*/${name}.test.ts`, { cwd: ROOT })
    return !path || !read(path).includes(`'${page}', '${name}'`)
  })
  expect(strangers).toEqual([])
})
