// Checks docs/security/asvs.md: all 253 requirements of levels 1 and 2, each with a status and evidence, the 92 of level 3
// either in the same form or with a reason, and every test named exists under that title, belongs to a tier and isn't
// skipped.
import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import config from '../../vitest.config.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const IDS = read('server/test/fixtures/asvs-5-level-2.txt').trim().split('\n')
const LEVEL_3_IDS = read('server/test/fixtures/asvs-5-level-3.txt').trim().split('\n')
const [PAGE = '', LEVEL_3 = ''] = read('docs/security/asvs.md').split('\n## Level 3\n')
const STATUSES = ['met', 'not applicable', 'open']
const MOST_OPEN = 10

const globs = z.array(z.string())
const Tier = z.object({ test: z.object({ include: globs, exclude: globs.default([]) }) })
const Tiers = z.object({ test: z.object({ projects: z.array(Tier).min(4) }) })

const rowsIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => /^\| V[\d.]+ \|/.test(line))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const [, id = '', about = '', status = '', evidence = ''] = cells
      return { id, about, status, evidence, isWhole: cells.length === 6 && cells[0] === '' && cells[5] === '' }
    })
const [listed3 = '', others3 = ''] = LEVEL_3.split("why they don't fit")
const rows = rowsIn(PAGE)
const rows3 = rowsIn(listed3)

interface NamedTest {
  id: string
  file: string
  title: string
}

/** A test is written as its file in backticks, then parts of its titles, each in quotation marks. */
const testsIn = ({ id, evidence }: { id: string; evidence: string }): NamedTest[] =>
  [...evidence.matchAll(/`([^`]+\.test\.ts)`((?:,? "[^"]+")+)/g)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/"([^"]+)"/g)].map((match) => ({ id, file, title: match[1] ?? '' })),
  )

const met = [...rows, ...rows3].filter(({ status }) => status === 'met')
const named = [...rows, ...rows3].flatMap(testsIn)

/** The first argument of a test or describe block, in any form Vitest supports. */
const titled = (title: string): RegExp =>
  new RegExp(
    `(?:\\b(?:it|test|describe)(?:\\.\\w+)*(?:<.*>)?\\([^\\n]*?|^\\s*[\\])]+\\()\\s*['"\`][^\\n]*${RegExp.escape(title)}`,
    'm',
  )

const SKIPPED = /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|skipIf|runIf|todo|only|fails)\b/

describe('docs/security/asvs.md', () => {
  it('has each of the 253 requirements of levels 1 and 2 once, in order', () => {
    expect(new Set(IDS).size).toBe(253)
    expect(rows.map(({ id }) => id)).toEqual(IDS)
  })

  it('has no empty cell, and one of three statuses in each row', () => {
    const wrong = rows.filter(
      ({ about, status, evidence, isWhole }) =>
        !isWhole || about.length < 5 || evidence.length < 10 || !STATUSES.includes(status),
    )
    expect(wrong).toEqual([])
  })

  it('has at most ten open requirements, lists them first, and states the count of each status', () => {
    const counts = STATUSES.map((status) => rows.filter((row) => row.status === status).length)
    expect(counts[2]).toBeLessThanOrEqual(MOST_OPEN)
    const [ofMet, ofNone, ofOpen] = counts
    expect(PAGE).toContain(`${ofMet} are met, ${ofNone} don't apply and ${ofOpen} are open`)
    const listed = [...PAGE.matchAll(/^- \[(V[\d.]+)\]/gm)].map((match) => match[1])
    expect(listed).toEqual(rows.filter(({ status }) => status === 'open').map(({ id }) => id))
  })

  it('has each of the 92 requirements of level 3 once: met or open in order, or with the reason why it does not fit', () => {
    expect(new Set(LEVEL_3_IDS).size).toBe(92)
    const unfit = new Set(others3.match(/V\d+\.\d+\.\d+/g))
    expect(rows3.map(({ id }) => id)).toEqual(LEVEL_3_IDS.filter((id) => !unfit.has(id)))
    expect([...unfit].filter((id) => !LEVEL_3_IDS.includes(id))).toEqual([])
    const wrong = rows3.filter(
      ({ about, status, evidence, isWhole }) =>
        !isWhole || about.length < 5 || evidence.length < 10 || !['met', 'open'].includes(status),
    )
    expect(wrong).toEqual([])
    const [ofMet, ofOpen] = ['met', 'open'].map((status) => rows3.filter((row) => row.status === status).length)
    expect(LEVEL_3).toContain(`${rows3.length} fit a service that somebody runs`)
    expect(LEVEL_3).toContain(`${ofMet} are met and ${ofOpen} are open`)
  })

  it('names a test for every requirement that is met, always in the same form', () => {
    expect(met.filter((row) => testsIn(row).length === 0).map(({ id }) => id)).toEqual([])
    const files = [...rows, ...rows3].flatMap(({ evidence }) => evidence.match(/`[^`]+\.test\.ts`/g) ?? [])
    expect(new Set(named.map(({ file }) => `\`${file}\``))).toEqual(new Set(files))
  })

  it('names tests that exist, by parts of their titles', () => {
    const missing = named.filter(
      ({ file, title }) => !existsSync(resolve(ROOT, file)) || !titled(title).test(read(file)),
    )
    expect(missing).toEqual([])
  })

  it('names tests that run: each is in a tier, and none is skipped', () => {
    const tiers = Tiers.parse(config).test.projects.map(({ test }) => test)
    const files = [...new Set(named.map(({ file }) => file))]
    expect(files.length).toBeGreaterThan(50)
    const isRun = (file: string) =>
      tiers.some(
        ({ include, exclude }) =>
          include.some((pattern) => matchesGlob(file, pattern)) &&
          !exclude.some((pattern) => matchesGlob(file, pattern)),
      )
    expect(files.filter((file) => !isRun(file))).toEqual([])
    expect(files.filter((file) => SKIPPED.test(read(file)))).toEqual([])
  })
})
