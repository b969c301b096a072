// The alert rules and the dashboard in deploy/ use only metrics that an instance exports and the documentation lists.
// `nightly/alert-rules-by-promtool.test.ts` runs the rules.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { onFreePort } from '../support/on-free-port.ts'
import { startTestInstance, type TestInstance } from '../support/test-instance.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

/** The name without the suffixes that Prometheus adds for a histogram. */
const familyOf = (name: string): string => name.replace(/_(?:bucket|count|sum)$/, '')
const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(/\bbowerbird_\w+/g)].map(([name]) => familyOf(name)))
const isOfProcess = (name: string): boolean => /^bowerbird_(?:process|nodejs)_/.test(name)

let instance: TestInstance
let scraped = ''

beforeAll(async () => {
  await onFreePort(async (port) => {
    // A cap, so that the cap metrics are exported.
    instance = await startTestInstance({
      METRICS_PORT: String(port),
      BRAVE_MONTHLY_CALLS: '50',
      BRAVE_MONTHLY_USD: '10',
    })
    await instance.api.get('/api/v1/web/?q=metrics')
    await instance.api.get('/api/v1/web/?q=metrics')
    await fetch(`${instance.url}/readyz`)
    scraped = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  })
})
afterAll(() => instance?.close())

describe('the metrics of an instance', () => {
  it('are exactly those documented', () => {
    const exported = [...scraped.matchAll(/^# TYPE (\w+)/gm)]
      .map(([, name = '']) => name)
      .filter((name) => !isOfProcess(name))
    const documented = namesIn(read('docs/reference/metrics.md'))
    expect(exported.sort()).toEqual([...documented].filter((name) => !isOfProcess(name)).sort())
  })

  it('reflect what has happened', () => {
    expect(scraped).toMatch(/^bowerbird_response_cache_total\{result="miss"\} 3$/m)
    expect(scraped).toMatch(/^bowerbird_response_cache_total\{result="memory"\} 3$/m)
    expect(scraped).toMatch(/^bowerbird_key_cache_total\{result="hit"\} [1-9]/m)
    expect(scraped).toMatch(/^bowerbird_database_up 1$/m)
    expect(scraped).toMatch(/^bowerbird_database_connections\{state="idle"\} \d/m)
    expect(scraped).toMatch(/^bowerbird_circuit_open\{provider="brave",use="search"\} 0$/m)
    expect(scraped).toMatch(/^bowerbird_provider_month_calls_cap\{provider="brave"\} 50$/m)
    expect(scraped).toMatch(/^bowerbird_provider_month_cost_cap_usd\{provider="brave"\} 10$/m)
    expect(scraped).toMatch(/^bowerbird_provider_month_calls\{provider="brave"\} 1$/m)
    expect(scraped).toMatch(/^bowerbird_upstream_seconds_count\{engine="brave",outcome="ok"\} 1$/m)
    expect(scraped).toMatch(/^bowerbird_http_connections [1-9]/m)
    expect(scraped).toMatch(/^bowerbird_redis_command_seconds_count [1-9]/m)
    expect(scraped).toMatch(/^bowerbird_nodejs_eventloop_lag_p99_seconds \S/m)
    const written = /^bowerbird_usage_write_last_success_timestamp_seconds (\S+)$/m.exec(scraped)?.[1]
    expect(Date.now() / 1_000 - Number(written)).toBeLessThan(60)
  })

  it('do not include health checks in the request counts', () => {
    expect(scraped).toMatch(/bowerbird_http_request_seconds_count\{route="\/api\/v1\/web\/",status="200"\} 2/)
    expect(scraped).not.toContain('readyz')
  })
})

describe('deploy/prometheus and deploy/grafana', () => {
  it('every rule has a test and a row in the documentation', () => {
    const alerts = [...read('deploy/prometheus/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    const tests = `${read('deploy/prometheus/alerts.test.yml')}${read('deploy/prometheus/service-levels.test.yml')}`
    const rows = [...read('docs/operate/monitoring.md').matchAll(/^\| `(Bowerbird\w+)`/gm)].map(([, name]) => name)
    expect(alerts.filter((name) => !tests.includes(`alertname: ${name}`))).toEqual([])
    expect(alerts).toEqual(rows)
  })

  it.each([
    'deploy/prometheus/alerts.yml',
    'deploy/prometheus/alerts.test.yml',
    'deploy/prometheus/service-levels.test.yml',
    'deploy/grafana/bowerbird.json',
  ])('%s uses only metrics that exist', (path) => {
    const exported = namesIn(scraped)
    expect([...namesIn(read(path))].filter((name) => !exported.has(name))).toEqual([])
  })
})
