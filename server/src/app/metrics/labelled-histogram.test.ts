import { Histogram, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { LabelledHistogram } from './labelled-histogram.ts'

const buckets = [0.1, 0.5, 1]
const OBSERVATIONS = [
  ['/api/v1/web/', 200, 0.05],
  ['/api/v1/web/', 200, 0.1],
  ['/api/v1/web/', 503, 0.75],
  ['/api/v1/key/', 200, 7],
] as const

describe('a labelled histogram', () => {
  it('reads exactly like one of prom-client', async () => {
    const [own, theirs] = [new Registry(), new Registry()]
    const described = { name: 'seconds', help: 'Requests', buckets }
    const histogram = new LabelledHistogram({ ...described, labels: ['route', 'status'] }, own)
    const model = new Histogram({ ...described, labelNames: ['route', 'status'], registers: [theirs] })
    for (const [route, status, seconds] of OBSERVATIONS) {
      histogram.observe(route, status, seconds)
      model.observe({ route, status }, seconds)
    }
    expect(await own.metrics()).toBe(await theirs.metrics())
  })

  it('knows how often each pair of labels was observed', () => {
    const histogram = new LabelledHistogram(
      { name: 'seconds', help: 'Requests', buckets, labels: ['route', 'status'] },
      new Registry(),
    )
    for (const [route, status, seconds] of OBSERVATIONS) histogram.observe(route, status, seconds)
    expect(histogram.totals()).toContainEqual({ labels: { route: '/api/v1/web/', status: 200 }, total: 2 })
    histogram.reset()
    expect(histogram.totals()).toEqual([])
  })
})
