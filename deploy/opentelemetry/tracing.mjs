// Loads OpenTelemetry's SDK into Bowerbird: NODE_OPTIONS='--import /path/to/tracing.mjs'. docs/operate/monitoring.md
// says which packages it needs. OTEL_EXPORTER_OTLP_ENDPOINT says where the traces go.
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

const name = process.env.OTEL_SERVICE_NAME ?? 'bowerbird'
/** The share of requests that begin a trace; whoever sends a trace decides for it. */
const share = Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? 1)
const scheduledDelayMillis = Number(process.env.OTEL_BSP_SCHEDULE_DELAY ?? 5_000)

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(
  new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis })],
  }),
)
