import { describe, expect, it } from 'vitest'
import { createMetrics } from '../metrics/metrics.ts'
import { MetricsTotals } from './merge-metrics.ts'

const family = (name: string, type: string, samples: readonly string[]) =>
  [`# HELP ${name} Something`, `# TYPE ${name} ${type}`, ...samples, ''].join('\n')

const render = (texts: string[], totals = new MetricsTotals()) =>
  totals
    .render(texts)
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))

describe('the metrics of several workers', () => {
  it('counters and histograms are sums, by labels', () => {
    const of = (one: number, two: number) =>
      family('calls_total', 'counter', [`calls_total{engine="a b"} ${one}`, `calls_total{engine="c"} ${two}`]) +
      family('seconds', 'histogram', [
        `seconds_bucket{le="1"} ${one}`,
        `seconds_bucket{le="+Inf"} ${two}`,
        `seconds_sum ${one / 4}`,
      ])
    expect(render([of(1, 2), of(30, 40), family('calls_total', 'counter', ['calls_total{engine="d"} 5'])])).toEqual([
      'calls_total{engine="a b"} 31',
      'calls_total{engine="c"} 42',
      'calls_total{engine="d"} 5',
      'seconds_bucket{le="1"} 31',
      'seconds_bucket{le="+Inf"} 42',
      'seconds_sum 7.75',
    ])
  })

  it.each([
    ['bowerbird_http_connections', [3, 4], 7],
    ['bowerbird_http_requests_in_flight', [3, 4], 7],
    ['bowerbird_upstream_in_flight', [3, 4], 7],
    ['bowerbird_database_connections', [3, 4], 7],
    ['bowerbird_database_waiting', [3, 4], 7],
    ['bowerbird_process_resident_memory_bytes', [3, 4], 7],
    ['bowerbird_nodejs_active_handles_total', [3, 4], 7],
    ['bowerbird_redis_up', [0, 1], 0],
    ['bowerbird_database_up', [1, 0], 0],
    ['bowerbird_overloaded', [0, 1], 1],
    ['bowerbird_circuit_open', [1, 0], 1],
    ['bowerbird_build_info', [1, 1], 1],
    ['bowerbird_provider_month_calls', [100, 99], 100],
    ['bowerbird_usage_rollup_last_success_timestamp_seconds', [1000, 2000], 2000],
    ['bowerbird_nodejs_eventloop_lag_p99_seconds', [0.1, 0.2], 0.2],
  ])('the gauge %s of %j is %d', (name, values, both) => {
    const of = (value: number) => family(name, 'gauge', [`${name} ${value}`])
    expect(render(values.map(of))).toEqual([`${name} ${both}`])
  })

  it('what a worker had counted stays when it ends; its gauges go', () => {
    const of = (count: number) =>
      family('calls_total', 'counter', [`calls_total ${count}`]) +
      family('bowerbird_http_connections', 'gauge', [`bowerbird_http_connections ${count}`])
    const totals = new MetricsTotals()
    totals.addEnded(of(10))
    totals.addEnded(of(5))
    expect(render([of(1)], totals)).toEqual(['calls_total 16', 'bowerbird_http_connections 1'])
    expect(render([], totals)).toEqual(['calls_total 15'])
  })

  it('of one worker are what it said', async () => {
    const metrics = createMetrics()
    metrics.request('/api/v1/web/', 200, 12)
    metrics.upstream('brave', 'ok', 12)
    const text = await metrics.text()
    expect(new MetricsTotals().render([text]).trim()).toBe(text.trim().replaceAll(' Nan\n', ' NaN\n'))
  })
})
