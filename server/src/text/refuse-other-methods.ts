// Mounts a 405 for every method that a path doesn't serve, in the API, the compatible APIs and the site alike. It is
// sent before the key or the body is read, so that a bad body doesn't hide it.
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../errors.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

interface ServedPath {
  path: string
  methods: readonly ('GET' | 'POST')[]
}

export function refuseOtherMethods(
  http: FastifyInstance,
  { path, methods }: ServedPath,
  options: Pick<RouteOptions, 'errorHandler'> = {},
): void {
  const allow = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ')
  const refuse = async ({ method }: FastifyRequest): Promise<never> => {
    throw new Refusal('method_not_allowed', `Method ${method} is not allowed here. Use ${methods.join(' or ')}.`, {
      Allow: allow,
    })
  }
  const others = METHODS.filter((method) => !methods.some((served) => served === method))
  const config = { surface: { access: 'nobody' } } as const
  http.route({ ...options, method: others, url: path, onRequest: refuse, handler: refuse, config })
}
