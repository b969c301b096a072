// OpenTelemetry spans. Only the API is used here: unless the operator preloads an SDK (`--import`, see
// docs/operate/monitoring.md), no spans are created and nothing is measured.
//
// Span attributes are our own names and numbers: a route, a status, a provider, a kind of error. Never a query, a key
// or an address.
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

/** Whether an SDK was registered before this module was loaded. */
function hasSdk(): boolean {
  const provider = trace.getTracerProvider()
  const noSdk = new ProxyTracerProvider().getDelegate()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noSdk
}

export const isTracing = hasSdk()
const tracer = trace.getTracer('bowerbird', VERSION)

/** Runs `work` in a span that ends when its result settles. */
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

/** Records a span that ends now and lasted `ms`. */
export function tracePast(name: string, attributes: Attributes, ms: number): void {
  tracer.startSpan(name, { attributes, startTime: Date.now() - ms }).end()
}

interface TracedRequest {
  method: string
  route: string
  headers: Record<string, unknown>
}

/** Starts a span, in the client's trace if there is one. `next` and everything it calls run inside the span. */
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

/** The headers that propagate the current trace. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(context.active(), headers)
  return headers
}
