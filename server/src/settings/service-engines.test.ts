import { readFileSync } from 'node:fs'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { describe, expect, it } from 'vitest'
import { readConfiguration, requireConfiguration } from './configuration.ts'
import { editsForService, editsToRemove, listServiceEngines, type ServiceEngine } from './service-engines.ts'

const NOTES = readFileSync(new URL('notes-engine.test.json', import.meta.url), 'utf8')
/** It has an address, and may do without a key. */
const DOCUMENT = NOTES.replace('"auth": {', '"baseUrl": "https://notes.example", "auth": { "optional": true,')

/** An instance with these settings of the environment and of the database. */
function instanceWith(env: Record<string, string> = {}, stored: Record<string, string> = {}) {
  const environment = requireConfiguration(readConfiguration(env))
  const known = {
    configuration: requireConfiguration(environment.withStored(stored)),
    stored,
    secrets: Object.keys(stored).filter((name) => name.endsWith('_KEY')),
    isFromFolder: () => false,
  }
  const find = (slug: string): ServiceEngine =>
    listServiceEngines(known).find((engine) => engine.slug === slug) ?? expect.unreachable(slug)
  return {
    find,
    edits: (engine: string | ServiceEngine, values: Record<string, string>) =>
      editsForService(typeof engine === 'string' ? find(engine) : engine, values, known),
    remove: (slug: string) => editsToRemove(find(slug), known),
  }
}

const KARAKEEP = { KARAKEEP_URL: 'http://10.0.0.7', KARAKEEP_API_KEY: 'key', MINE: 'karakeep' }

describe('a service', () => {
  it('is added with its address, its key and its place in one change', () => {
    const values = { KARAKEEP_URL: ' http://10.0.0.7 ', KARAKEEP_LINK_URL: '', KARAKEEP_API_KEY: 'key' }
    expect(instanceWith().edits('karakeep', values)).toEqual({ ok: true, edits: KARAKEEP })
    const { edits } = instanceWith({}, { MINE: 'miniflux' })
    expect(edits('karakeep', values)).toMatchObject({ edits: { MINE: 'miniflux karakeep' } })
    const other = { BOWERBIRD_URL: 'https://friend.example', BOWERBIRD_API_KEY: 'key' }
    expect(instanceWith().edits('bowerbird', other)).toEqual({ ok: true, edits: { ...other, ENGINE_D: 'bowerbird' } })
  })

  it.each([
    ['nothing', {}, { KARAKEEP_URL: 'missing', KARAKEEP_API_KEY: 'missing' }],
    ['no address', { KARAKEEP_URL: 'karakeep', KARAKEEP_API_KEY: 'k' }, { KARAKEEP_URL: 'notAnAddress' }],
    ['off', { KARAKEEP_URL: 'off', KARAKEEP_API_KEY: 'k' }, { KARAKEEP_URL: 'notAnAddress' }],
    ['a password in it', { KARAKEEP_URL: 'http://a:b@c', KARAKEEP_API_KEY: 'k' }, { KARAKEEP_URL: 'notAnAddress' }],
    ['no host', { KARAKEEP_URL: 'http://[', KARAKEEP_API_KEY: 'k' }, { KARAKEEP_URL: 'notAnAddress' }],
  ])('with %s is not added', (_, values, problems) => {
    expect(instanceWith().edits('karakeep', values)).toEqual({ ok: false, problems })
  })

  it('has no place if the environment sets MINE, or every slot', () => {
    expect(instanceWith({ MINE: 'miniflux' }).edits('karakeep', KARAKEEP)).toEqual({ ok: false, problems: 'mine' })
    const others = ALL_ENGINES.filter(({ slug, tabs, isPrivate }) => slug !== 'searxng' && tabs.web && !isPrivate)
    const taken = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
      .split('')
      .map((letter, at) => [`ENGINE_${letter}`, others[at]?.slug ?? ''])
    const { edits } = instanceWith(Object.fromEntries(taken))
    expect(edits('searxng', { SEARXNG_URL: 'http://10.0.0.7' })).toEqual({ ok: false, problems: 'slots' })
  })

  it('is changed by what is different alone', () => {
    const { edits, find } = instanceWith({}, KARAKEEP)
    expect(find('karakeep').fields.map(({ value }) => value)).toEqual(['http://10.0.0.7', '', ''])
    const same = { KARAKEEP_URL: 'http://10.0.0.7', KARAKEEP_API_KEY: '' }
    expect(edits('karakeep', same)).toEqual({ ok: true, edits: {} })
    expect(edits('karakeep', { ...same, KARAKEEP_LINK_URL: 'https://k.example' })).toEqual({
      ok: true,
      edits: { KARAKEEP_LINK_URL: 'https://k.example' },
    })
    expect(edits('karakeep', { ...same, KARAKEEP_API_KEY: 'new' })).toEqual({
      ok: true,
      edits: { KARAKEEP_API_KEY: 'new' },
    })
  })

  it('leaves with its settings and its place', () => {
    const { remove } = instanceWith({}, { ...KARAKEEP, MINE: 'karakeep miniflux' })
    expect(remove('karakeep')).toMatchObject({ KARAKEEP_URL: undefined, KARAKEEP_API_KEY: undefined, MINE: 'miniflux' })
  })
})

describe('a key', () => {
  it('never goes to another address than the one it was entered with', () => {
    const { edits } = instanceWith({}, KARAKEEP)
    expect(edits('karakeep', { KARAKEEP_URL: 'https://evil.example', KARAKEEP_API_KEY: '' })).toEqual({
      ok: false,
      problems: { KARAKEEP_API_KEY: 'again' },
    })
    const both = { KARAKEEP_URL: 'https://other.example', KARAKEEP_API_KEY: 'its own' }
    expect(edits('karakeep', both)).toEqual({ ok: true, edits: both })
  })

  it('that is optional is removed with the address', () => {
    const stored = { MEDIAWIKI_URL: 'https://wiki.example', MEDIAWIKI_API_KEY: 'key', MINE: 'mediawiki' }
    const { edits } = instanceWith({}, stored)
    expect(edits('mediawiki', { MEDIAWIKI_URL: 'https://evil.example' })).toEqual({
      ok: true,
      edits: { MEDIAWIKI_URL: 'https://evil.example', MEDIAWIKI_API_KEY: undefined },
    })
  })

  it('of the environment goes to no address that is entered in a browser', () => {
    const { edits, find } = instanceWith({ KARAKEEP_API_KEY: 'of the operator' })
    expect(find('karakeep').fields.map(({ origin }) => origin)).toEqual([undefined, undefined, 'environment'])
    expect(edits('karakeep', { KARAKEEP_URL: 'https://evil.example' })).toEqual({
      ok: false,
      problems: { KARAKEEP_URL: 'secretInEnvironment' },
    })
  })

  it('goes to an address of the environment', () => {
    const { edits } = instanceWith({ KARAKEEP_URL: 'http://10.0.0.7', MINE: 'karakeep' })
    const values = { KARAKEEP_URL: 'https://evil.example', KARAKEEP_API_KEY: 'key' }
    expect(edits('karakeep', values)).toEqual({ ok: true, edits: { KARAKEEP_API_KEY: 'key' } })
  })
})

describe('a document in a setting', () => {
  const STORED = { ENGINE_DOCUMENT_NOTES: DOCUMENT }

  it('gets its key and the next free slot, and is removed by its own setting', () => {
    const { edits, remove } = instanceWith({}, STORED)
    expect(edits('notes', { NOTES_API_KEY: 'key' })).toEqual({
      ok: true,
      edits: { NOTES_API_KEY: 'key', ENGINE_D: 'notes' },
    })
    expect(remove('notes')).toEqual({ ENGINE_DOCUMENT_NOTES: undefined })
  })
})
