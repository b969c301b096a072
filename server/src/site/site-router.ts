// Mounts the site: all its pages, and the reply to paths without a page. The site has its own Fastify context, so
// nothing here affects API requests.
import { fastifyCookie } from '@fastify/cookie'
import { fastifyFormbody } from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProviderStatusBoard } from '../health/provider-status.ts'
import { refuseOtherMethods } from '../text/refuse-other-methods.ts'
import { OPEN, type Surface } from '../text/surface.ts'
import { accountDataPages } from './accounts/account-data-pages.ts'
import { accountPages } from './accounts/account-pages.ts'
import { confirmPages } from './accounts/confirm-pages.ts'
import { invitationPages } from './accounts/invitation-pages.ts'
import { keyPages } from './accounts/key-pages.ts'
import { loginPages } from './accounts/login-pages.ts'
import { oauthPages } from './accounts/oauth-pages.ts'
import { oidcPages } from './accounts/oidc-pages.ts'
import { passkeyPages } from './accounts/passkey-pages.ts'
import { secondFactorPages } from './accounts/second-factor-pages.ts'
import { securityEventPages } from './accounts/security-event-pages.ts'
import { serviceAccountPages } from './accounts/service-account-pages.ts'
import { setupPages } from './accounts/setup-pages.ts'
import { userPages } from './accounts/user-pages.ts'
import { appearancePages } from './admin/appearance-page.ts'
import { calibrationPages } from './admin/calibration-pages.ts'
import { enginePages } from './admin/engine-pages.ts'
import { instancePages } from './admin/instance-page.ts'
import { instanceUsagePage } from './admin/instance-usage-page.ts'
import { providerKeyPages } from './admin/provider-key-pages.ts'
import { providersPage } from './admin/providers-page.ts'
import { rankingPages } from './admin/ranking-pages.ts'
import { serviceFormPages } from './admin/service-form-pages.ts'
import { servicePages } from './admin/service-pages.ts'
import { mountAppearance } from './appearance/appearance-routes.ts'
import { operatorPages } from './appearance/operator-pages.ts'
import { mountAssets } from './assets.ts'
import { docsPages } from './docs/docs-pages.ts'
import { feedPage } from './feeds/feed-page.ts'
import { feedsPages } from './feeds/feeds-pages.ts'
import { createCsrf } from './http/csrf.ts'
import { PageError } from './http/error-pages.ts'
import { acceptFiles } from './http/form-fields.ts'
import type { Page } from './http/page.ts'
import type { SiteFrame } from './http/page-context.ts'
import { sendError, servePage } from './http/serve-page.ts'
import { wordsIn } from './i18n/messages.ts'
import { mountMapAssets } from './maps/map-assets.ts'
import { mapsPage } from './maps/maps-page.ts'
import { tilesPage } from './maps/tiles-page.ts'
import { picturePage } from './pictures.ts'
import { readPage } from './reading/read-page.ts'
import { answerPage } from './search/answer-box.ts'
import { comparePage } from './search/compare-page.ts'
import { homePage } from './search/home-page.ts'
import { imageDetailPage } from './search/image-detail-page.ts'
import { mineBoxPage } from './search/mine-box.ts'
import { minePage } from './search/mine-page.ts'
import { operatorsPage } from './search/operators-page.ts'
import { relatedPage } from './search/related-page.ts'
import { resultsPage } from './search/results-page.ts'
import { siteRulePages } from './search/site-rule-pages.ts'
import { openSearchPage, suggestPage } from './search/suggest-page.ts'
import { connectPages } from './settings/connect-pages.ts'
import { preferencesPages } from './settings/preferences-page.ts'
import { sitesPages } from './settings/sites-pages.ts'
import { usagePage } from './settings/usage-page.ts'
import { firstRunPages } from './setup/first-run-pages.ts'
import { statusPage } from './status/status-page.ts'
import { toolPages } from './tools/tool-pages.ts'
import { translatePages } from './translate/translate-page.ts'

export const PAGES: readonly Page[] = [
  homePage,
  resultsPage,
  operatorsPage,
  relatedPage,
  ...toolPages,
  ...siteRulePages,
  comparePage,
  minePage,
  mineBoxPage,
  imageDetailPage,
  answerPage,
  readPage,
  suggestPage,
  openSearchPage,
  mapsPage,
  tilesPage,
  ...translatePages,
  statusPage,
  ...docsPages,
  ...operatorPages,
  picturePage,
  feedPage,
  ...loginPages,
  ...setupPages,
  ...confirmPages,
  ...accountPages,
  ...accountDataPages,
  ...secondFactorPages,
  ...passkeyPages,
  ...securityEventPages,
  ...keyPages,
  ...oauthPages,
  ...oidcPages,
  ...userPages,
  ...invitationPages,
  ...serviceAccountPages,
  ...preferencesPages,
  ...sitesPages,
  ...feedsPages,
  ...connectPages,
  usagePage,
  ...firstRunPages,
  ...enginePages,
  ...providerKeyPages,
  ...servicePages,
  ...serviceFormPages,
  ...rankingPages,
  ...calibrationPages,
  providersPage,
  ...instancePages,
  ...appearancePages,
  instanceUsagePage,
]

const MAX_FORM_BYTES = 16_384

export interface Site {
  /** Replies to a path without a page. */
  notFound: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export function mountSite(
  http: FastifyInstance,
  { services: current, openapi }: Pick<SiteFrame, 'services' | 'openapi'>,
  pages: readonly Page[] = PAGES,
): Site {
  const pagesByPath = Map.groupBy(pages, ({ path }) => path)
  const services = current()
  const frame: SiteFrame = {
    services: current,
    openapi,
    csrf: createCsrf(services.instanceSecret, services.randomBytes),
    hasPage: (path) => pagesByPath.has(path),
    providersDown: createProvidersDownCount(services.status, services.clock),
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
    if (services.mapTiles) mountMapAssets(site)
    site.get('/robots.txt', { config: { surface: OPEN } }, (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
    )
  })
  return {
    notFound: (request, reply) => sendError(frame, { request, reply }, { error: new PageError('notFound') }),
  }
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
