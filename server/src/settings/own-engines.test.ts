import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isInstanceSetting, readConfiguration, requireConfiguration } from './configuration.ts'
import { readEngineFile } from './own-engines.ts'

const NOTES = {
  ...JSON.parse(readFileSync(new URL('notes-engine.test.json', import.meta.url), 'utf8')),
  suggest: { request: { path: '/complete', query: { q: '${query}' } }, list: '' },
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-engines-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value, null, 2), { mode: 0o644 })
  return path
}
const SETTINGS = { ENGINE_D: 'notes', NOTES_URL: 'http://10.0.0.7', NOTES_API_KEY: 'k', SUGGEST: 'notes' }
const read = (env: Record<string, string> = {}) => readConfiguration({ ENGINES_DIR: folder, ...env })
const mistakesIn = (env: Record<string, string> = {}) => {
  const { verdict } = read(env)
  return verdict.ok ? [] : verdict.mistakes.map((mistake) => `${mistake.env} ${mistake.message}`)
}

describe('ENGINES_DIR', () => {
  it('has engines that are bound, configured and asked for suggestions like any other', () => {
    write('notes.json', NOTES)
    write('README.md', 'not a document')
    const { engines, allEngines, slots, suggesters } = requireConfiguration(read(SETTINGS))
    expect(engines.get('notes')).toMatchObject({
      isTrustedAddress: true,
      settings: { apiKey: 'k', baseUrl: 'http://10.0.0.7' },
    })
    expect(allEngines).toHaveLength(ALL_ENGINES.length + 1)
    expect(slots.get('engine_d')).toEqual({ web: ['notes'] })
    expect(suggesters).toEqual(['notes'])
    expect(read({ ENGINE_D: 'notes' }).hidden).toEqual(
      expect.arrayContaining([{ slug: 'notes', missing: ['NOTES_API_KEY', 'NOTES_URL'] }]),
    )
  })

  it('may have documents that extend what is shipped, or each other', () => {
    write('notes.json', NOTES)
    write('more.json', { bowerbird: 1, extends: 'notes', slug: 'morenotes', name: 'More' })
    write('links.json', { bowerbird: 1, extends: 'karakeep', slug: 'links', name: 'Links' })
    expect(mistakesIn({ ENGINE_D: 'notes morenotes', MINE: 'links' })).toEqual([])
  })

  it('reports every mistake with file and line, and so doesn’t start', () => {
    write('bad.json', '{\n  "bowerbird": 1,\n}')
    write('worse.json', { ...NOTES, scripts: [] })
    expect(mistakesIn()).toEqual([
      'ENGINES_DIR bad.json, line 3: is not valid JSON here.',
      'ENGINES_DIR worse.json, line 1: has members that are not known: scripts.',
    ])
  })

  it('refuses what anybody may write to, what is too large and what is no file', () => {
    chmodSync(write('open.json', NOTES), 0o666)
    write('large.json', ' '.repeat(70_000))
    mkdirSync(join(folder, 'folder.json'))
    expect(mistakesIn()).toEqual([
      expect.stringMatching(/folder\.json is not a file/),
      expect.stringMatching(/large\.json is larger than 64 kB/),
      expect.stringMatching(/open\.json can be written to by every user/),
    ])
    chmodSync(folder, 0o777)
    expect(mistakesIn()[0]).toMatch(/ENGINES_DIR can be written to by every user/)
    expect(mistakesIn({ ENGINES_DIR: join(folder, 'nowhere') })).toEqual(['ENGINES_DIR cannot be read (ENOENT).'])
  })

  it('refuses a second engine of a name', () => {
    write('brave.json', { ...NOTES, slug: 'brave' })
    expect(mistakesIn()).toEqual([
      'ENGINES_DIR brave.json, line 1: there is another engine or data source called brave.',
    ])
  })

  it.each([
    ['INSTANCE_SECRET', { slug: 'instance', auth: { bearer: 'secret' } }],
    ['METRICS_TOKEN', { slug: 'metrics', auth: { bearer: 'token' } }],
    ['DATABASE_URL', { slug: 'database' }],
    ['REDIS_URL', { slug: 'redis' }],
  ])('never sends %s anywhere', (env, change) => {
    write('thief.json', { ...NOTES, ...change })
    expect(mistakesIn()).toEqual([expect.stringContaining(`its setting would be ${env}, which is the instance's own`)])
  })

  it('an unknown suggester is still a mistake', () => {
    expect(mistakesIn({ SUGGEST: 'wikipedia altavista' })).toEqual([
      expect.stringMatching(/^SUGGEST must be none, or only contain: /),
    ])
  })
})

describe('stored documents', () => {
  const stored = (values: Record<string, string>, env: Record<string, string> = {}) =>
    requireConfiguration(readConfiguration(env)).withStored(values)
  const sentences = ({ verdict }: ReturnType<typeof stored>) =>
    verdict.ok ? [] : verdict.mistakes.map((mistake) => `${mistake.env} ${mistake.message}`)
  const DOCUMENT = { ENGINE_DOCUMENT_NOTES: JSON.stringify(NOTES) }

  it('are engines like any other', () => {
    const settings = { ...DOCUMENT, ...SETTINGS, SUGGEST: 'none' }
    const { engines, allEngines, documents, slots } = requireConfiguration(stored(settings))
    expect(engines.get('notes')).toMatchObject({ isTrustedAddress: true, settings: { apiKey: 'k' } })
    expect(allEngines).toHaveLength(ALL_ENGINES.length + 1)
    expect(documents.get('notes')).toBe(DOCUMENT.ENGINE_DOCUMENT_NOTES)
    expect(slots.get('engine_d')).toEqual({ web: ['notes'] })
    expect(stored({}).allEngines).toHaveLength(ALL_ENGINES.length)
  })

  it('never get a variable of the environment, whatever their slug is', () => {
    const thief = { ...NOTES, slug: 'postgres', auth: { bearer: 'password' } }
    const values = {
      ENGINE_DOCUMENT_POSTGRES: JSON.stringify(thief),
      ENGINE_D: 'postgres',
      POSTGRES_URL: 'https://a.example',
    }
    const { hidden, verdict } = stored(values, { POSTGRES_PASSWORD: 'hunter2 of the database' })
    expect(hidden).toEqual(expect.arrayContaining([{ slug: 'postgres', missing: ['POSTGRES_PASSWORD'] }]))
    expect(verdict.ok && verdict.value.engines.has('postgres')).toBe(false)
  })

  it.each([
    ['is no JSON', '{\n  "bowerbird": 1,\n}', 'line 3: is not valid JSON here.'],
    [
      'has the slug of another',
      JSON.stringify({ ...NOTES, slug: 'brave' }),
      'line 1: there is another engine or data source called brave.',
    ],
    ['belongs elsewhere', JSON.stringify({ ...NOTES, slug: 'other' }), 'is the document of other.'],
  ])('are refused if one %s', (_, text, sentence) => {
    expect(sentences(stored({ ENGINE_DOCUMENT_NOTES: text }))).toEqual([`ENGINE_DOCUMENT_NOTES ${sentence}`])
  })

  it('are refused where ENGINES_DIR has one of the same slug, and beyond fifty', () => {
    write('notes.json', NOTES)
    expect(sentences(stored(DOCUMENT, { ENGINES_DIR: folder }))).toEqual([
      'ENGINE_DOCUMENT_NOTES line 1: there is another engine or data source called notes.',
    ])
    const many = Array.from({ length: 51 }, (_, at) => `notes${String(at).padStart(2, '0')}`)
    const documents = many.map((slug) => [`ENGINE_DOCUMENT_${slug.toUpperCase()}`, JSON.stringify({ ...NOTES, slug })])
    expect(sentences(stored(Object.fromEntries(documents)))).toEqual([
      'ENGINE_DOCUMENT_NOTES50 is one too many: there can be 50 documents.',
    ])
  })
})

it('no provider has a setting of the instance', () => {
  const all = [...ALL_ENGINES, ...ALL_SOURCES].flatMap(({ settings }) => Object.values(settings).map(({ env }) => env))
  expect(all.filter(isInstanceSetting)).toEqual([])
})

it('a file to be tried must not have the slug, and so the key, of another engine', () => {
  const path = write('brave.json', { ...NOTES, slug: 'brave', baseUrl: 'https://evil.example' })
  expect(readEngineFile(path, new Set(['brave']), isInstanceSetting)).toMatchObject({ ok: false })
  expect(readEngineFile(path, new Set(), isInstanceSetting)).toMatchObject({ ok: true })
})
