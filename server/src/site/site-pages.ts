// All pages of the website, by subject. Each subject says what its pages use; a page that uses nothing of the instance but
// what every request has is a constant.
import { accountDataPages } from './accounts/account-data-pages.ts'
import type { AccountExportParts } from './accounts/account-export.ts'
import { type AccountPagesParts, accountPages } from './accounts/account-pages.ts'
import { type ConfirmPagesParts, confirmPages } from './accounts/confirm-pages.ts'
import { type InvitationPagesParts, invitationPages } from './accounts/invitation-pages.ts'
import { type KeyPagesParts, keyPages } from './accounts/key-pages.ts'
import { type LoginPagesParts, loginPages } from './accounts/login-pages.ts'
import { type OauthPagesParts, oauthPages } from './accounts/oauth-pages.ts'
import { type OidcPagesParts, oidcPages } from './accounts/oidc-pages.ts'
import { passkeyPages } from './accounts/passkey-pages.ts'
import { secondFactorPages } from './accounts/second-factor-pages.ts'
import { type SecurityEventPagesParts, securityEventPages } from './accounts/security-event-pages.ts'
import { serviceAccountPages } from './accounts/service-account-pages.ts'
import { type SetupPagesParts, setupPages } from './accounts/setup-pages.ts'
import { userPages } from './accounts/user-pages.ts'
import { appearancePages } from './admin/appearance-page.ts'
import { type CalibrationPagesParts, calibrationPages } from './admin/calibration-pages.ts'
import { type EnginePagesParts, enginePages } from './admin/engine-pages.ts'
import { type InstancePageParts, instancePages } from './admin/instance-page.ts'
import { type InstanceUsagePageParts, instanceUsagePage } from './admin/instance-usage-page.ts'
import { providerKeyPages } from './admin/provider-key-pages.ts'
import { type ProvidersPageParts, providersPage } from './admin/providers-page.ts'
import { rankingPages } from './admin/ranking-pages.ts'
import { serviceFormPages } from './admin/service-form-pages.ts'
import { type ServicePagesParts, servicePages } from './admin/service-pages.ts'
import { operatorPages } from './appearance/operator-pages.ts'
import { type DocsPagesParts, docsPages } from './docs/docs-pages.ts'
import { type FeedPageParts, feedPage } from './feeds/feed-page.ts'
import { type FeedsPagesParts, feedsPages } from './feeds/feeds-pages.ts'
import type { Page } from './http/page.ts'
import { type MapsPageParts, mapsPage } from './maps/maps-page.ts'
import { tilesPage } from './maps/tiles-page.ts'
import { type PicturePageParts, picturePage } from './pictures.ts'
import { type ReadPageParts, readPage } from './reading/read-page.ts'
import { type AnswerPageParts, answerPage } from './search/answer-box.ts'
import { type ComparePageParts, comparePage } from './search/compare-page.ts'
import { homePage } from './search/home-page.ts'
import { type ImageDetailPageParts, imageDetailPage } from './search/image-detail-page.ts'
import { type MineBoxParts, mineBoxPage } from './search/mine-box.ts'
import { type MinePageParts, minePage } from './search/mine-page.ts'
import { operatorsPage } from './search/operators-page.ts'
import { type RelatedPageParts, relatedPage } from './search/related-page.ts'
import { type ResultsPageParts, resultsPage } from './search/results-page.ts'
import { siteRulePages } from './search/site-rule-pages.ts'
import { openSearchPage, type SuggestPageParts, suggestPage } from './search/suggest-page.ts'
import { type ConnectPagesParts, connectPages } from './settings/connect-pages.ts'
import { type PreferencesPageParts, preferencesPages } from './settings/preferences-page.ts'
import { type SitesPagesParts, sitesPages } from './settings/sites-pages.ts'
import { type UsagePageParts, usagePage } from './settings/usage-page.ts'
import { type FirstRunPagesParts, firstRunPages } from './setup/first-run-pages.ts'
import { type StatusPageParts, statusPage } from './status/status-page.ts'
import { toolPages } from './tools/tool-pages.ts'
import { type TranslatePageParts, translatePages } from './translate/translate-page.ts'

/** What all subjects use together; only `listPages` is handed all of it. */
export type SitePagesParts = SearchParts &
  TabParts &
  DocsParts &
  FetchedParts &
  AccountParts &
  SettingsParts &
  AdminParts

/** Lists every page, in the order in which routes are mounted. */
export const listPages = (parts: SitePagesParts): Page[] => [
  ...searchPages(parts),
  ...tabPages(parts),
  ...docsAndStatusPages(parts),
  ...fetchedPages(parts),
  ...signInAndAccountPages(parts),
  ...settingsPages(parts),
  ...adminPages(parts),
]

type SearchParts = ResultsPageParts &
  RelatedPageParts &
  ComparePageParts &
  MinePageParts &
  MineBoxParts &
  ImageDetailPageParts &
  AnswerPageParts &
  ReadPageParts &
  SuggestPageParts

/** The web and what is found beside it: results, answers and tools, the private engines, reading, suggestions. */
function searchPages(parts: SearchParts): Page[] {
  const { search, mine, suggest, answers, cards, exchange, reading, rules } = parts
  const { accounts, settings, signSuggestionToken, suggestionsFor, queryGuard, pictures, showsIcons } = parts
  const view = { search, pictures, showsIcons }
  const answering = { answers, cards, exchange }
  const tokens = { accounts, signSuggestionToken, suggestionsFor }
  return [
    homePage,
    resultsPage({ ...view, ...answering, mine, reading, rules, settings, queryGuard }),
    operatorsPage,
    relatedPage({ search, suggest, queryGuard }),
    ...toolPages({ exchange }),
    ...siteRulePages({ rules }),
    comparePage({ search, queryGuard }),
    minePage({ mine, rules, pictures }),
    mineBoxPage({ search, mine }),
    imageDetailPage({ ...view, queryGuard }),
    answerPage({ search, answers, queryGuard }),
    readPage({ search, reading, pictures }),
    suggestPage({ ...tokens, suggest, answers, rules, queryGuard }),
    openSearchPage(tokens),
  ]
}

type TabParts = MapsPageParts & TranslatePageParts

/** The tabs that aren't lists of results. */
const tabPages = ({ maps, mapTiles, translate, queryGuard }: TabParts): Page[] => [
  mapsPage({ maps, mapTiles, queryGuard }),
  tilesPage({ mapTiles }),
  ...translatePages({ translate }),
]

type DocsParts = StatusPageParts & DocsPagesParts

const docsAndStatusPages = ({ status, mineStatus, transitions, engines, areUrlKeysOn }: DocsParts): Page[] => [
  statusPage({ status, mineStatus, transitions, engines }),
  ...docsPages({ areUrlKeysOn }),
  ...operatorPages,
]

type FetchedParts = PicturePageParts & FeedPageParts

/** What other pages and feed readers fetch. */
const fetchedPages = ({ pictures, accounts, search, rules, consume, queryGuard }: FetchedParts): Page[] => [
  picturePage({ pictures }),
  feedPage({ accounts, search, rules, consume, queryGuard }),
]

type AccountParts = LoginPagesParts &
  SetupPagesParts &
  ConfirmPagesParts &
  AccountPagesParts &
  AccountExportParts &
  SecurityEventPagesParts &
  KeyPagesParts &
  OauthPagesParts &
  OidcPagesParts &
  InvitationPagesParts

/** Signing in, one's own account and keys, and for administrators those of others. */
function signInAndAccountPages(parts: AccountParts): Page[] {
  const { accounts, audit, rules, usage, engines, reading, areUrlKeysOn, oauth, oidc, trustedHeader } = parts
  return [
    ...loginPages({ accounts, oidc, trustedHeader }),
    ...setupPages({ accounts, engines }),
    ...confirmPages({ accounts, oidc }),
    ...accountPages({ accounts, audit, oidc }),
    ...accountDataPages({ accounts, audit, rules, usage }),
    ...secondFactorPages({ accounts }),
    ...passkeyPages({ accounts }),
    ...securityEventPages({ accounts, audit }),
    ...keyPages({ accounts, usage, reading, areUrlKeysOn }),
    ...oauthPages({ accounts, oauth, reading, areUrlKeysOn }),
    ...oidcPages({ accounts, audit, oidc }),
    ...userPages({ accounts }),
    ...invitationPages({ accounts, oidc }),
    ...serviceAccountPages({ accounts }),
  ]
}

type SettingsParts = PreferencesPageParts & SitesPagesParts & FeedsPagesParts & ConnectPagesParts & UsagePageParts

/** The pages of a reader's own settings. */
function settingsPages(parts: SettingsParts): Page[] {
  const { search, suggest, cards, signSuggestionToken, rules, queryGuard } = parts
  const { accounts, settings, usage, areUrlKeysOn } = parts
  return [
    ...preferencesPages({ search, suggest, cards, signSuggestionToken }),
    ...sitesPages({ accounts, rules }),
    ...feedsPages({ accounts, settings, search, queryGuard }),
    ...connectPages({ accounts, areUrlKeysOn }),
    usagePage({ accounts, usage }),
  ]
}

type AdminParts = FirstRunPagesParts &
  EnginePagesParts &
  ServicePagesParts &
  CalibrationPagesParts &
  ProvidersPageParts &
  InstancePageParts &
  InstanceUsagePageParts

/** The instance's: the first run, engines and their ranking, health and costs, the website itself. */
function adminPages(parts: AdminParts): Page[] {
  const { accounts, settings, keyless, engines, serviceEngines, calibrations, usage } = parts
  const { status, mineStatus, transitions, costs, pictures, showsIcons, areUrlKeysOn, publicUrl } = parts
  const choosing = { accounts, settings, keyless, engines, costs, pictures, showsIcons }
  const ranking = { accounts, settings, engines, calibrations }
  return [
    ...firstRunPages({ ...choosing, areUrlKeysOn, publicUrl }),
    ...enginePages(choosing),
    ...providerKeyPages({ accounts, settings }),
    ...servicePages({ accounts, engines, serviceEngines }),
    ...serviceFormPages({ accounts, engines, serviceEngines }),
    ...rankingPages(ranking),
    ...calibrationPages(ranking),
    providersPage({ status, mineStatus, transitions, costs, engines }),
    ...instancePages({ accounts, settings, keyless }),
    ...appearancePages({ accounts, settings }),
    instanceUsagePage({ usage }),
  ]
}
