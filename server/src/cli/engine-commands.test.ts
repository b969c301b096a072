import { expect, it } from 'vitest'
import type { TrialReport } from '../search/try-engine.ts'
import type { CheckedEngine } from './cli-host.ts'
import { bowerbird, json } from './command-line.test-harness.ts'

const NOTES: CheckedEngine = {
  slug: 'notes',
  name: 'Notes',
  tabs: ['web', 'suggest'],
  isPrivate: true,
  address: '',
  settings: [
    { env: 'NOTES_API_KEY', isSecret: true, isRequired: true },
    { env: 'NOTES_URL', isSecret: false, isRequired: true },
  ],
}

it('engines check: says where calls would go and what is read', async () => {
  const checkEngineFile = () => ({ ok: true as const, engine: NOTES })
  const { code, out } = await bowerbird('engines check notes.json', { checkEngineFile })
  expect(code).toBe(0)
  expect(out).toContain('notes.json is a valid document of Notes: web, suggest; private.')
  expect(out).toMatch(/NOTES_API_KEY +required +secret/)
  expect(out).toContain('name it in MINE: MINE=notes')
  expect(await json('engines check notes.json', { checkEngineFile })).toMatchObject({
    mistakes: [],
    engine: { slug: 'notes' },
  })
})

it('engines check: names each mistake with its line, and fails', async () => {
  const mistakes = ['notes.json, line 3: slug is missing.', 'notes.json, line 9: has no tab.']
  const { code, out } = await bowerbird('engines check notes.json', {
    checkEngineFile: () => ({ ok: false, mistakes }),
  })
  expect([code, out]).toEqual([1, `${mistakes.join('\n')}\n`])
})

it('engines try: shows what was left out, and why', async () => {
  const report: TrialReport = {
    slug: 'notes',
    name: 'Notes',
    tab: 'web',
    skippedFor: undefined,
    ignoresRegion: false,
    request: { method: 'GET', path: '/find?q=oak', headers: { authorization: '•••' }, body: '' },
    status: 200,
    bytes: 90,
    ms: 12,
    hits: [{ title: 'Oak', url: 'https://a.example/', description: '' }],
    correction: '',
    dropped: ['Result 2 has no http(s) address in url.'],
    error: undefined,
    terms: { cacheSeconds: 60, cacheIn: 'memory', pricePerCallMicros: 0, attribution: '', asOf: '2026-11-16' },
  }
  const { code, out } = await bowerbird('engines try ./notes.json oak', { tryEngine: async () => report })
  expect(code).toBe(0)
  expect(out).toContain('Left out:\n  Result 2 has no http(s) address in url.')
  expect(out).toContain('authorization: •••')
  expect(out).not.toContain('region')
  const ignoring = { tryEngine: async () => ({ ...report, ignoresRegion: true }) }
  expect((await bowerbird('engines try ./notes.json oak --region de', ignoring)).out).toContain(
    'cannot favour this region',
  )
  expect((await bowerbird('engines try ./notes.json oak --region Atlantis', ignoring)).code).toBe(2)
})
