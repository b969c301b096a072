// deploy/opentelemetry/tracing.mjs draws lots for every request: the sampled flag of a client isn't followed. In a process of
// its own, because an SDK is registered for good.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const SDK = resolve(ROOT, 'deploy/opentelemetry/tracing.mjs')

/** Starts a request whose client sent a sampled trace. */
const REQUEST = `
import { context, propagation, trace } from '@opentelemetry/api'
const sent = { traceparent: '00-00000000000000000000000000000001-b7ad6b7169203331-01' }
const parent = propagation.extract(context.active(), sent)
const span = trace.getTracer('test').startSpan('GET /', {}, parent)
console.log(span.isRecording(), span.spanContext().traceId.endsWith('01'))
process.exit()
`

async function request(settings: Record<string, string>): Promise<string> {
  const args = ['--import', SDK, '--input-type=module', '--eval', REQUEST]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...settings },
  })
  return stdout.trim()
}

it('a client cannot have itself traced, unless the operator lets it', async () => {
  expect(await request({ OTEL_TRACES_SAMPLER_ARG: '0' })).toBe('false true')
  expect(await request({ OTEL_TRACES_SAMPLER_ARG: '1' })).toBe('true true')
  const followed = { OTEL_TRACES_SAMPLER_ARG: '0', OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }
  expect(await request(followed)).toBe('true true')
})
