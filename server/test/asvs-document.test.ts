// Checks docs/security/asvs.md: all 253 requirements of levels 1 and 2, each with a status and evidence, and every test
// it names exists under that title, belongs to a tier and isn't skipped.
import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import config from '../../vitest.config.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

const IDS = read('server/test/fixtures/asvs-5-level-2.txt').trim().split('\n')
const PAGE = read('docs/security/asvs.md')
const STATUSES = ['met', 'not applicable', 'open']
const MOST_OPEN = 10

const globs = z.array(z.string())
const Tier = z.object({ test: z.object({ include: globs, exclude: globs.default([]) }) })
const Tiers = z.object({ test: z.object({ projects: z.array(Tier).min(4) }) })

const rows = PAGE.split('\n')
  .filter((line) => /^\| V\d/.test(line))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim())
    const [, id = '', about = '', status = '', evidence = ''] = cells
    return { id, about, status, evidence, isWhole: cells.length === 6 && cells[0] === '' && cells[5] === '' }
  })

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

const met = rows.filter(({ status }) => status === 'met')
const named = rows.flatMap(testsIn)

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

  it('names a test for every requirement that is met, always in the same form', () => {
    expect(met.filter((row) => testsIn(row).length === 0).map(({ id }) => id)).toEqual([])
    const files = rows.flatMap(({ evidence }) => evidence.match(/`[^`]+\.test\.ts`/g) ?? [])
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
