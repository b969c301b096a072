// Settings → Search, Connect and Usage, for `site-router.ts`.
import type { Page } from '../http/page.ts'
import { connectPages } from './connect-pages.ts'
import { preferencesPages } from './preferences-page.ts'
import { usagePages } from './usage-page.ts'

export const settingsPages: readonly Page[] = [...preferencesPages, ...connectPages, ...usagePages]
