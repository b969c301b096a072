import { expect, it } from 'vitest'
import { isAboutProgramming } from './programming-words.ts'

it.each([
  'how to reverse a list in python',
  'javascript remove duplicates from array',
  'git undo last commit',
  'c++ vector vs array',
  'c# linq group by',
  'TypeError: cannot read properties of undefined',
  'java NullPointerException',
  'document.getElementById() returns null',
  'rust string to int convert',
  'segmentation fault core dumped',
  'snake_case vs camelCase',
])('%s is about programming', (text) => {
  expect(isAboutProgramming(text)).toBe(true)
})

it.each([
  'python',
  'python snake enclosure',
  'java island holidays',
  'ruby ring',
  'swift taylor tickets',
  'rust remover for cars',
  'go to the moon',
  'react to news',
  'weather paris',
  'javascript',
  'unity church near me',
  'x '.repeat(19),
  '',
])('%j is not, or nothing in particular', (text) => {
  expect(isAboutProgramming(text)).toBe(false)
})
