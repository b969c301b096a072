// The events of a streamed search, for the OpenAPI document: one object per line as application/x-ndjson; as
// text/event-stream, `event` is the name of the event and the rest its data.
import { z } from 'zod'

const headers = z.record(z.string(), z.string()).describe('The headers of the JSON reply that say something about it.')

export const StreamEvent = z
  .discriminatedUnion('event', [
    z.object({
      event: z.literal('start'),
      request_id: z.string(),
      engines: z.array(z.string()).describe('The engines that are queried.'),
    }),
    z.object({
      event: z.literal('engine'),
      engine: z.string(),
      status: z.string().describe('As in `Engine-Status`.'),
      n: z.int().describe('How many results it returned.'),
      ms: z.int(),
    }),
    z.object({
      event: z.literal('results'),
      revision: z.int().describe('Counts up. Each one replaces the last.'),
      results: z.array(z.record(z.string(), z.unknown())).describe('As in the JSON reply.'),
    }),
    z.object({
      event: z.literal('done'),
      body: z.record(z.string(), z.unknown()).describe('Exactly the JSON reply.'),
      headers,
    }),
    z.object({
      event: z.literal('error'),
      status: z.int().describe('What the JSON reply would have had.'),
      body: z.record(z.string(), z.unknown()),
      headers,
    }),
  ])
  .describe('An event of a streamed search, as a line of `application/x-ndjson`.')
