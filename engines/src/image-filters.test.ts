import { describe, expect, it } from 'vitest'
import type { ImageHit } from './engine.ts'
import { keepsTo } from './image-filters.ts'
import { namedLicence, readLicence } from './parsing/licence.ts'

const PICTURE: ImageHit = {
  kind: 'image',
  title: 'Oak',
  url: 'https://a.example/',
  thumbnailUrl: 'https://a.example/1',
}

describe('a size and a shape', () => {
  it.each([
    [639, 480, 'small', 'wide'],
    [640, 480, 'medium', 'wide'],
    [1599, 1200, 'medium', 'wide'],
    [1200, 1600, 'large', 'tall'],
    [1100, 1000, 'medium', 'square'],
    [1000, 1101, 'medium', 'tall'],
  ])('%i × %i is %s and %s', (...[width, height, size, shape]) => {
    const hit = { ...PICTURE, width, height }
    const fitting = (name: 'size' | 'shape', values: readonly string[]) =>
      values.filter((value) => keepsTo(hit, name, { [name]: value }))
    expect(fitting('size', ['small', 'medium', 'large'])).toEqual([size])
    expect(fitting('shape', ['wide', 'tall', 'square'])).toEqual([shape])
  })

  it('of a picture that has none is not known', () => {
    expect(keepsTo(PICTURE, 'size', { size: 'large' })).toBe(undefined)
    expect(keepsTo({ ...PICTURE, width: 9, height: 9 }, 'color', { color: 'red' })).toBe(undefined)
  })
})

describe('a licence', () => {
  const USES = ['public', 'share', 'commercial', 'modify'] as const
  it.each([
    ['CC0 1.0', ['public', 'share', 'commercial', 'modify']],
    ['Public domain', ['public', 'share', 'commercial', 'modify']],
    ['Public Domain Mark 1.0', ['public', 'share', 'commercial', 'modify']],
    ['CC BY 4.0', ['share', 'commercial', 'modify']],
    ['CC BY-SA 3.0 de', ['share', 'commercial', 'modify']],
    ['CC BY-NC 2.0', ['share', 'modify']],
    ['CC BY-ND 4.0', ['share', 'commercial']],
    ['CC BY-NC-ND 4.0', ['share']],
    ['Pexels License', ['share', 'commercial', 'modify']],
    ['CC BYSTANDER', []],
    ['rightsstatements.org', []],
    ['All rights reserved', []],
  ])('%s allows %j', (name, uses) => {
    const hit = { ...PICTURE, licence: { name, url: '' } }
    expect(USES.filter((licence) => keepsTo(hit, 'licence', { licence }))).toEqual(uses)
  })

  it('of a picture that has none is not known', () => {
    expect(keepsTo(PICTURE, 'licence', { licence: 'share' })).toBe(undefined)
  })

  it.each([
    [readLicence('by-sa 4.0', ''), { name: 'CC BY-SA 4.0', url: '' }],
    [readLicence('BY', 'https://a.example/'), { name: 'CC BY', url: 'https://a.example/' }],
    [readLicence('cc0', 'javascript:alert(1)'), { name: 'CC0', url: '' }],
    [readLicence('pdm 1.0', ''), { name: 'Public Domain Mark 1.0', url: '' }],
    [readLicence('', ''), undefined],
    [readLicence('By permission', ''), { name: 'By permission', url: '' }],
    [
      readLicence('https://creativecommons.org/publicdomain/zero/1.0/', ''),
      { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
    ],
    [
      readLicence('http://rightsstatements.org/vocab/InC/1.0/', ''),
      expect.objectContaining({ name: 'rightsstatements.org' }),
    ],
    [namedLicence('  <b>GFDL</b> ', '//x'), { name: 'GFDL', url: '' }],
  ])('%# is named as people write it', (licence, expected) => {
    expect(licence).toEqual(expected)
  })
})
