import { expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { markdownText } from './markdown-text.ts'

it.each([
  ['# Heat pumps\n\nA **heat pump** moves [heat](https://a.example/heat).', 'Heat pumps A heat pump moves heat.'],
  ['![logo](https://a.example/l.png) Text & more', 'Text & more'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['> quoted\n- one\n- two', 'quoted one two'],
  ['C# and a - b stay, snake_case too', 'C# and a - b stay, snake_case too'],
  ['<b>bold</b> &amp; `code`', 'bold & code'],
  [7, ''],
])('%j is %j', (markdown, text) => {
  expect(markdownText(markdown)).toBe(text)
})

it('is cut after 400 characters', () => {
  expect(markdownText('word '.repeat(500)).length).toBeLessThanOrEqual(400)
})

it('is quick, whatever it is given', () => {
  const timer = startCpuTimer()
  for (const piece of ['![', '[a](', '**', '|', '> ', '![a]((']) markdownText(piece.repeat(500_000))
  expect(timer()).toBeLessThan(1_000)
})
