// The cost of hostile text. What Markdown is written is in extract-page.test.ts.
import { expect, it } from 'vitest'
import { startCpuTimer } from '../../engines/test/cpu-timer.ts'
import type { Block, Run } from './blocks.ts'
import { toMarkdown } from './markdown.ts'

const LENGTH = 250_000

const paragraph = (runs: Run[]): Block => ({ kind: 'paragraph', runs })
const link = 'https://page.example/'
const spaces = `a${' '.repeat(LENGTH)}b`

it.each<[string, Block]>([
  ['spaces in a text', paragraph([{ text: spaces }])],
  ['spaces in the text of a link', paragraph([{ text: spaces, link }])],
  ['hashes in a heading', { kind: 'heading', level: 2, runs: [{ text: `${'#'.repeat(LENGTH)}a` }] }],
  ['backticks in code', { kind: 'code', text: '` '.repeat(LENGTH), language: '' }],
  ['backticks in a piece of code', paragraph([{ text: '` '.repeat(LENGTH), isCode: true }])],
  [
    'many links after a long text',
    paragraph(Array.from({ length: 50_000 }, (_, at) => ({ text: 'ab!', link: `${link}${at}` }))),
  ],
])('takes no longer than a moment for %s', (_, block) => {
  const spentMs = startCpuTimer()
  toMarkdown([block])
  expect(spentMs()).toBeLessThan(1_000)
})

it('white space stays outside of marks and links, and an exclamation mark before a link is escaped', () => {
  const runs: Run[] = [
    { text: ' \n a!' },
    { text: ' b ', link },
    { text: '!' },
    { text: 'c', link: `${link}c` },
    { text: ' d  ', isStrong: true },
    { text: ' \t ' },
  ]
  expect(toMarkdown([{ kind: 'heading', level: 1, runs }])).toBe(
    '#    a\\! [b](https://page.example/) \\![c](https://page.example/c) **d**   \t ',
  )
})
