// Reads a streamed reply as a client would: event by event, as they arrive.
export interface StreamEvent {
  event: string
  /** The text of the event's data. */
  data: string
  // As in `api-client.ts`: tests read events of every shape.
  // biome-ignore lint/suspicious/noExplicitAny: as said above
  json: any
}

export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  let text = ''
  for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.+)$/.exec(event) ?? []
      if (name !== '') yield { event: name, data, json: JSON.parse(data) }
    }
  }
}

export async function allEvents(response: Response): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents(response)) events.push(event)
  return events
}
