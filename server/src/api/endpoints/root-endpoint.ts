// GET /api/v1/: all endpoints by name, made from the same list as the OpenAPI document.
import { z } from 'zod'
import { defineEndpoint, type Endpoint } from '../endpoint.ts'

export const OPENAPI_PATH = '/api/v1/openapi.json'

export const rootEndpoint = (endpoints: readonly Pick<Endpoint, 'name' | 'path'>[]) =>
  defineEndpoint({
    name: 'root',
    method: 'GET',
    path: '/api/v1/',
    summary: 'Endpoint discovery',
    description: 'The name and URL of every endpoint on this instance.',
    params: z.object({}),
    reply: z.record(z.string(), z.url()).meta({ id: 'RootReply' }),
    counts: false,
    scope: undefined,
    handle: ({ baseUrl }) => ({
      ...Object.fromEntries(endpoints.map(({ name, path }) => [name, baseUrl + path])),
      openapi: baseUrl + OPENAPI_PATH,
    }),
  })
