// Mounts the site: all its pages, and the reply to paths without a page. The site has its own Fastify context, so
// nothing here affects API requests. Routes are mounted once; each request takes the page that is on its route then.
import { fastifyCookie } from '@fastify/cookie'
import { fastifyFormbody } from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN, type Surface } from '../text/surface.ts'
import { mountAppearance } from './appearance/appearance-routes.ts'
import { mountAssets } from './assets.ts'
import { createCsrf } from './http/csrf.ts'
import { PageError } from './http/error-pages.ts'
import { acceptFiles } from './http/form-fields.ts'
import type { Page } from './http/page.ts'
import type { SiteFrame } from './http/page-context.ts'
import { sendError, servePage } from './http/serve-page.ts'
import { wordsIn } from './i18n/messages.ts'
import { mountMapAssets } from './maps/map-assets.ts'
import type { FrameParts, Site } from './site.ts'

const MAX_FORM_BYTES = 16_384

type NotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export interface Website {
  /** Made anew at each change of settings: a request takes that of when it begins. */
  site: () => Site
  frame: FrameParts
}

interface SiteMount extends Website {
  /** Pages beside those of the product. */
  extraPages?: readonly Page[]
  /** The OpenAPI document of this instance's API. */
  openapi: () => object
}

/** Returns what replies to a path without a page. */
export function mountSite(http: FastifyInstance, mount: SiteMount): NotFound {
  const { site: current, frame: parts, extraPages = [], openapi } = mount
  const pages = [...current().pages.values(), ...extraPages]
  const pagesByPath = Map.groupBy(pages, ({ path }) => path)
  const frame: SiteFrame = {
    ...parts,
    site: current,
    openapi,
    csrf: createCsrf(parts.instanceSecret, parts.randomBytes),
    hasPage: (path) => pagesByPath.has(path),
    providersDown: createProvidersDownCount(parts.status, parts.clock),
  }
  http.register(async (site) => {
    // Accept form bodies only: anything else is refused before it is parsed.
    site.removeAllContentTypeParsers()
    await site.register(fastifyFormbody)
    // Registered without its hook: `page-context.ts` calls its parser, also for requests that match no route.
    await site.register(fastifyCookie, { hook: false })
    site.setErrorHandler((error, request, reply) => sendError(frame, { request, reply }, { error }))
    for (const page of pages.filter(({ takesFiles }) => !takesFiles)) mountPage(site, page, frame)
    await site.register(async (withFiles) => {
      acceptFiles(withFiles)
      for (const page of pages.filter(({ takesFiles }) => takesFiles)) mountPage(withFiles, page, frame)
    })
    for (const [path, pagesHere] of pagesByPath)
      refuseOtherMethods(site, { path, methods: pagesHere.map(({ method }) => method) })
    mountAssets(site)
    mountAppearance(site, current)
    if (parts.mapTiles) mountMapAssets(site)
    site.get('/robots.txt', { config: { surface: OPEN } }, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
    )
  })
  return (request, reply) => sendError(frame, { request, reply }, { error: new PageError('notFound') })
}

function mountPage(site: FastifyInstance, page: Page, frame: SiteFrame): void {
  const { method, path: url, maxFormBytes: bodyLimit = MAX_FORM_BYTES } = page
  site.route({ method, url, bodyLimit, handler: servePage(page, frame), config: { surface: surfaceOf(page) } })
}

const surfaceOf = ({ access, quota, query, form }: Page): Surface => ({
  access,
  quota,
  fields: [...Object.keys(query?.shape ?? {}), ...Object.keys(form?.(wordsIn('en')).shape ?? {})],
})

const REFRESH_AFTER_MS = 15_000

/**
 * Counts the providers that are down, for the dot in the footer of every page. No page waits for the count: a page shows
 * the last known one and, if that is 15 seconds old, starts to refresh it.
 */
export function createProvidersDownCount(
  status: Pick<ProviderStatusBoard, 'list'>,
  clock: () => number,
): () => number | undefined {
  let down: number | undefined
  let refreshedAt = Number.NEGATIVE_INFINITY
  const refresh = async () => {
    try {
      const providers = await status.list()
      down = providers.filter(({ health }) => health?.state === 'down').length
    } catch {
      // The footer then shows the state as unknown.
      down = undefined
    }
  }
  return () => {
    const now = clock()
    if (Math.abs(now - refreshedAt) >= REFRESH_AFTER_MS) {
      refreshedAt = now
      void refresh()
    }
    return down
  }
}
