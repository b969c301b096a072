// The parts of undici that we use. Importing all of it would load its fetch, caches, mocks and WebSockets as well, which
// take several megabytes of every process.

declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'

  export default Pool
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'

  export default buildConnector
}

declare module 'undici/lib/core/errors.js' {
  import { errors } from 'undici'

  export default errors
}

declare module 'undici/lib/api/api-request.js' {
  import type { Dispatcher } from 'undici'

  /** Only all of undici makes a method of it. */
  const request: (this: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
  export default request
}
