import { describe, expect, it } from 'vitest'
import { readFixture } from '../../test/read-fixture.ts'
import { duckduckgo } from './duckduckgo.ts'

const { suggest } = duckduckgo

describe('duckduckgo suggest', () => {
  it('asks for a list', () => {
    expect(suggest?.request({ text: 'bower b', lang: '' }, { baseUrl: '' }).path).toBe(
      '/ac/?q=bower%20b&type=list&kl=wt-wt',
    )
  })

  it.each([
    ['de', 'de-de'],
    ['de-AT', 'at-de'],
    ['de-US', 'de-de'],
    ['en', 'us-en'],
    ['en-GB', 'uk-en'],
    ['en-NZ', 'nz-en'],
    ['pt-br', 'br-pt'],
    ['ja-JP', 'jp-jp'],
    ['nb', 'no-no'],
    ['uk', 'ua-uk'],
    ['zh', 'cn-zh'],
    ['zh-Hant-TW', 'tw-tzh'],
    ['es-419', 'es-es'],
    ['tlh', 'wt-wt'],
  ])('favours for %s the region %s', (lang, kl) => {
    expect(suggest?.request({ text: 'bower', lang }, { baseUrl: '' }).path).toContain(`&kl=${kl}`)
  })

  it('gives completions, best first', () => {
    expect(suggest?.parse(readFixture('duckduckgo-suggest-page'))).toEqual([
      'bowerbird',
      'bowers & wilkins',
      'bower nest',
    ])
  })
})
