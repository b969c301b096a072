import { describe, expect, it } from 'vitest'
import { namesBeside } from './slots.ts'

describe('the names of one person’s services', () => {
  it('are those of their engines, with a number where one is taken', () => {
    expect(namesBeside([], ['karakeep', 'linkding'])).toEqual(['karakeep', 'linkding'])
    expect(namesBeside(['karakeep'], ['karakeep', 'linkding', 'karakeep'])).toEqual([
      'karakeep_2',
      'linkding',
      'karakeep_3',
    ])
    expect(namesBeside(['a_2'], ['a', 'a'])).toEqual(['a', 'a_3'])
  })
})
