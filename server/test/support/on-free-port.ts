// Servers of others can neither be handed a socket nor be told to take any port. So they are started on a port that the
// system never gives away by itself, and on another when somebody has it: whoever binds a port has it, and nobody
// relies on what was free a moment ago.
const PORTS = { from: 10_000, to: 29_000 }
const MOST_TRIES = 20

/** `start` throws when the server does not start. */
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
