import { expect, it } from 'vitest'
import { startCpuTimer } from '../../test/cpu-timer.ts'
import { atomEntries, linkIn } from '../science/arxiv.ts'
import { elementsIn } from './xml.ts'

it('elements are those with exactly this name', () => {
  expect(elementsIn('<idea>no</idea><id>a</id><id lang="en">b</id><id/><id>open', 'id')).toEqual(['a', 'b'])
})

it('a feed is read as the contents of its entries', () => {
  const body =
    '<?xml version="1.0"?>\n<feed xmlns="x"><title>T</title><entry><id>1</id></entry><entry/>\n<entry a="b"><id>2</id></entry></feed>\n'
  expect(atomEntries({ status: 200, headers: {}, body }, { now: 0 })).toEqual(['<id>1</id>', '<id>2</id>'])
})

it('links are found by title', () => {
  const xml =
    '<link href="https://a.example/1" rel="alternate"/><link title="pdf" href="https://a.example/1?x=1&amp;y=2"/>'
  expect(linkIn(xml, 'pdf')).toBe('https://a.example/1?x=1&y=2')
  expect(linkIn(xml, 'doi')).toBe('')
})

it('a hostile feed takes no more CPU time than its length deserves', () => {
  const spentMs = startCpuTimer()
  for (const part of ['<entry', '<entry ', '<entry>', '<link ', '<link title="']) {
    elementsIn(part.repeat(200_000), 'entry')
    linkIn(part.repeat(200_000), 'pdf')
  }
  expect(spentMs()).toBeLessThan(5_000)
})
