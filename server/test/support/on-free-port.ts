// Starts third-party servers, which can neither be handed a socket nor listen on port 0. They get a port outside the
// system's ephemeral range, and another one if it is in use: no port is assumed to be free because it was a moment ago.
const PORTS = { from: 10_000, to: 29_000 }
const MOST_TRIES = 20

/** `start` throws if the server does not start. */
export async function onFreePort<Server>(start: (port: number) => Promise<Server>): Promise<Server> {
  const errors: unknown[] = []
  while (errors.length < MOST_TRIES) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.to - PORTS.from))
    try {
      return await start(port)
    } catch (error) {
      errors.push(error)
    }
  }
  throw new AggregateError(errors, `the server did not start on any of ${MOST_TRIES} ports`)
}
