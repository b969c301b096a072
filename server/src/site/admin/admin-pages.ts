// Administration → Providers, Instance usage and Security events, for `site-router.ts`. The user pages are in
// `accounts/`.
import type { Page } from '../http/page.ts'
import { auditPage } from './audit-page.ts'
import { instanceUsagePage } from './instance-usage-page.ts'
import { keylessPage } from './keyless-page.ts'
import { providersPage } from './providers-page.ts'
import { tryEnginePage } from './try-engine-page.ts'

export const adminPages: readonly Page[] = [providersPage, keylessPage, tryEnginePage, instanceUsagePage, auditPage]
