// Spans for OpenTelemetry. Only its API is used here: without an SDK, which an operator loads before the program
// (`--import`, see docs/operate/monitoring.md), nothing is created and nothing is measured.
//
// A span has names and numbers of ours alone: a route, a status, a provider, a kind of error. Never a query, a key or an
// address.
import {
  type Attributes,
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { VERSION } from './config/version.ts'

export type { Span }

/** An SDK has to be there before this is loaded. */
function hasSdk(): boolean {
  const provider = trace.getTracerProvider()
  const nobody = new ProxyTracerProvider().getDelegate()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nobody
}

export const isTracing = hasSdk()
const tracer = trace.getTracer('bowerbird', VERSION)

/** Runs `work` within a span, until what it returns is settled. */
export function traced<Result>(name: string, attributes: Attributes, work: () => Result): Result {
  if (!isTracing) return work()
  return tracer.startActiveSpan(name, { attributes }, (span) => {
    try {
      const result = work()
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      result.then(
        () => span.end(),
        (error: unknown) => fail(span, error),
      )
      return result
    } catch (error) {
      fail(span, error)
      throw error
    }
  })
}

function fail(span: Span, error: unknown): void {
  const kind = error instanceof Error && 'kind' in error ? String(error.kind) : 'error'
  span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', kind).end()
}

/** A span that has just ended. */
export function tracePast(name: string, attributes: Attributes, ms: number): void {
  tracer.startSpan(name, { attributes, startTime: Date.now() - ms }).end()
}

interface TracedRequest {
  method: string
  route: string
  headers: Record<string, unknown>
}

/** Continues the caller's trace, if there is one. `next` and everything after it belong to the span. */
export function startRequestSpan({ method, route, headers }: TracedRequest, next: () => void): Span {
  const parent = propagation.extract(context.active(), headers)
  const attributes = { 'http.request.method': method, 'http.route': route }
  const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent)
  context.with(trace.setSpan(parent, span), next)
  return span
}

export function endRequestSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** The headers that let others continue the current trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}
