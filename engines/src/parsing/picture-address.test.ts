import { describe, expect, it } from 'vitest'
import { pictureAddress } from './picture-address.ts'

describe('pictureAddress', () => {
  it.each([
    ['https://cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
    ['http://cdn.example/a.jpg', 'http://cdn.example/a.jpg'],
    ['//cdn.example/a.jpg', 'https://cdn.example/a.jpg'],
  ])('takes %j for %j', (value, address) => {
    expect(pictureAddress(value)).toBe(address)
  })

  it.each([
    '',
    '//',
    '///a.jpg',
    '/a.jpg',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    '//user@cdn.example/',
    null,
    7,
  ])('has no picture for %j', (value) => {
    expect(pictureAddress(value)).toBe('')
  })
})
