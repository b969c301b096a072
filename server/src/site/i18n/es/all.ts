// Spanish.
import type { Words } from '../en/all.ts'
import * as accounts from './accounts.ts'
import * as ranking from './ranking.ts'
import * as search from './search.ts'
import * as settings from './settings.ts'
import * as site from './site.ts'
import * as sites from './sites.ts'

export const es: Words = { ...accounts, ...ranking, ...search, ...settings, ...site, ...sites }
