import { describe, expect, it } from 'vitest'
import { atomEntries, elementsIn, linkIn } from './atom-reply.ts'

const reply = (body: string, status = 200) => ({ status, headers: {}, body })

describe('a feed', () => {
  it('is read as the contents of its entries', () => {
    const body =
      '<?xml version="1.0"?>\n<feed xmlns="x"><title>T</title><entry><id>1</id></entry><entry/>\n<entry a="b"><id>2</id></entry></feed>\n'
    expect(atomEntries(reply(body), { now: 0 })).toEqual(['<id>1</id>', '<id>2</id>'])
  })

  it.each(['<feed><entry></entry>', '<feed', '', '{}', '<html></feed>', '<!doctype html><feed></feed>'])(
    'that is not whole is malformed: %s',
    (body) => {
      expect(() => atomEntries(reply(body), { now: 0 })).toThrow(expect.objectContaining({ kind: 'malformed' }))
    },
  )

  it('with an error status is that error, whatever the body', () => {
    expect(() => atomEntries(reply('<feed></feed>', 429), { now: 0 })).toThrow(
      expect.objectContaining({ kind: 'throttled' }),
    )
  })

  it('has elements of exactly the name that is asked for', () => {
    expect(elementsIn('<idea>no</idea><id>a</id><id lang="en">b</id><id/><id>open', 'id')).toEqual(['a', 'b'])
  })

  it('has links by title', () => {
    const xml =
      '<link href="https://a.example/1" rel="alternate"/><link title="pdf" href="https://a.example/1?x=1&amp;y=2"/>'
    expect(linkIn(xml, 'pdf')).toBe('https://a.example/1?x=1&y=2')
    expect(linkIn(xml, 'doi')).toBe('')
  })

  it('takes no longer than its length deserves', () => {
    const started = performance.now()
    for (const part of ['<entry', '<entry ', '<entry>', '<link ', '<link title="']) {
      elementsIn(part.repeat(200_000), 'entry')
      linkIn(part.repeat(200_000), 'pdf')
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
