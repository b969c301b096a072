// Loads OpenTelemetry's SDK into Bowerbird: NODE_OPTIONS='--import /path/to/tracing.mjs'. docs/operate/monitoring.md
// says which packages it needs. OTEL_EXPORTER_OTLP_ENDPOINT says where the traces go.
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, SamplingDecision, TracerProvider } from '@opentelemetry/sdk-trace'

const name = process.env.OTEL_SERVICE_NAME ?? 'bowerbird'
/** The share of requests that are traced. */
const share = Number(process.env.OTEL_TRACES_SAMPLER_ARG ?? 1)
/**
 * Anyone can send a trace with the sampled flag, and choose its id: so this process draws lots for those as well.
 * `parentbased_traceidratio` follows the sender, for an instance that only your own programs reach.
 */
const followsSender = process.env.OTEL_TRACES_SAMPLER === 'parentbased_traceidratio'
const lots = {
  shouldSample: () => ({
    decision: Math.random() < share ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
  }),
  toString: () => `lots of ${share}`,
}
const scheduledDelayMillis = Number(process.env.OTEL_BSP_SCHEDULE_DELAY ?? 5_000)

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(
  new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': name }),
    sampler: new ParentBasedSampler({
      root: lots,
      ...(!followsSender && { remoteParentSampled: lots, remoteParentNotSampled: lots }),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), scheduledDelayMillis })],
  }),
)
