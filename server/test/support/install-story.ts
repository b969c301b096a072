// What every way to install Bowerbird has in common: the set-up link, the first key, the first search, and a backup that
// is restored without losing a row.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openFormBrowser } from './form-browser.ts'
import { blocksRunBy, type PageShell } from './page-commands.ts'

/** The key that stands on the pages. */
export const SHOWN_KEY = 'bowerbird_LNSyC8Z8.…'
const PASSWORD = 'correct horse battery'

const BOWERBIRD = resolve(import.meta.dirname, '../../bowerbird.js')

/** A path on which `bowerbird` is the one of this clone, and every other command is the given one. */
export async function pathTo(folder: string, others: Record<string, string> = {}): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  const commands = { bowerbird: `exec ${process.execPath} ${BOWERBIRD} "$@"`, ...others }
  for (const [name, script] of Object.entries(commands))
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return `${bin}:${process.env['PATH']}`
}

/** Creates the administrator, as in a browser. `url`: where the instance is reached, if not as printed. */
export async function setUpByLink(output: string, url?: string, headers?: Record<string, string>): Promise<void> {
  const [, printedUrl = '', token = ''] = /account at (\S+)\/setup\?token=(\S+)/.exec(output) ?? []
  const browser = openFormBrowser(url ?? printedUrl, headers)
  const fields = { token, username: 'alice', password: PASSWORD, repeat: PASSWORD }
  const { status, location } = await browser.submit('/setup', Object.entries(fields), `/setup?token=${token}`)
  expect({ status, location }).toEqual({ status: 303, location: '/admin/setup/reach' })
}

export function keyIn(output: string): string {
  const [key = ''] = /bowerbird_\w{8}\.\S+/.exec(output) ?? []
  expect(output).toContain('Copy it now')
  return key
}

export function expectResults(output: string): void {
  const [reply = ''] = /^\{"query":.*/m.exec(output) ?? []
  expect(JSON.parse(reply).results.length).toBeGreaterThan(0)
}

/** Written by every start and by the clock, not by users; and security events, which a backup and a restore add to. */
const NOT_COMPARED = new Set(['provider_transitions', 'provider_costs', 'engine_contributions', 'audit_events'])

interface PageStory {
  shell: () => PageShell
  /** What must be true after the n-th block under a heading: `Restore 1`. */
  afterwards: Record<string, (printed: string) => unknown>
  timeout: number
  skip?: boolean
}

/** One test for each block that the test of this name runs, in the order of the page. */
export function describePage(
  page: string,
  name: string,
  { shell, afterwards, timeout, skip = false }: PageStory,
): void {
  describe.skipIf(skip)(page, { timeout }, () => {
    const counts: Record<string, number> = {}
    for (const { heading, line, commands } of blocksRunBy(page, name)) {
      const count = (counts[heading] ?? 0) + 1
      counts[heading] = count
      it(`${heading}, line ${line}`, async () => {
        const printed = await shell().run(commands)
        await afterwards[`${heading} ${count}`]?.(printed)
      })
    }

    it('has a block for everything that is checked', () => {
      const checked = Object.keys(afterwards).map((at) => at.split(/ (?=\d+$)/))
      expect(checked.filter(([heading = '', count]) => (counts[heading] ?? 0) < Number(count))).toEqual([])
    })
  })
}

/** The rows of a backup, by table. */
export async function rowsIn(path: string): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  let rows: unknown[] = []
  for (const line of gunzipSync(await readFile(path))
    .toString()
    .trim()
    .split('\n')
    .slice(1, -1)) {
    const value: unknown = JSON.parse(line)
    const { table, rows: count } = Object(value)
    if (typeof table === 'string' && 'columns' in Object(value)) {
      rows = []
      if (!NOT_COMPARED.has(table)) tables[table] = rows
    } else if (count === undefined) rows.push(value)
  }
  expect(tables['users']).toHaveLength(1)
  expect(tables['api_keys']).toHaveLength(1)
  return tables
}
