// What guards a route: declared where the route is mounted, in Fastify's `config`, from the same declaration that the
// product acts on (an endpoint's scope, a page's access). A route without one can't be mounted. How much of a body is
// read is Fastify's own `bodyLimit`. `server/test/spec/every-surface.test.ts` walks the list and tries each guard.
import type { FastifyInstance } from 'fastify'

export interface Surface {
  /**
   * Who is answered: everyone, who has an API key or the metrics token, or as a page says (`site/http/page.ts`).
   * `nobody`: the route only refuses, with 404 or 405.
   */
  access: 'anyone' | 'key' | 'metrics-token' | 'nobody' | 'searcher' | 'user' | 'admin' | 'signed-out'
  /** The scope that the key needs; undefined: any valid key will do. */
  scope?: string | undefined
  /** The limit of a website searcher that the page counts against. A request with a key counts against the key's. */
  quota?: string | undefined
  /** The parameters that are read, from the URL or the body. */
  fields?: readonly string[]
}

/** A route that answers everyone: it reads no parameters, and what it sends is constant or cheap. */
export const OPEN: Surface = { access: 'anyone' }

export interface MountedSurface extends Surface {
  method: string
  /** With `:name` for parameters of the path. */
  url: string
  maxBodyBytes: number
}

declare module 'fastify' {
  interface FastifyContextConfig {
    surface?: Surface
  }
  interface FastifyInstance {
    /** Every route, in the order of mounting. */
    surfaces: readonly MountedSurface[]
  }
}

/** Lists every route that is mounted from now on in `http.surfaces`, and refuses to mount one that declares nothing. */
export function requireSurfaces(http: FastifyInstance, defaultBodyBytes: number): void {
  const surfaces: MountedSurface[] = []
  http.decorate('surfaces', surfaces)
  http.addHook('onRoute', ({ method, url, bodyLimit = defaultBodyBytes, config }) => {
    if (!config?.surface) throw new Error(`The route ${url} declares no surface; see text/surface.ts.`)
    for (const one of [method].flat()) surfaces.push({ ...config.surface, method: one, url, maxBodyBytes: bodyLimit })
  })
}
