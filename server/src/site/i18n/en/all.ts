// English, which defines the shape of every dictionary. Labels are in sentence case, with verbs on buttons.
import * as accounts from './accounts.ts'
import * as ranking from './ranking.ts'
import * as search from './search.ts'
import * as settings from './settings.ts'
import * as site from './site.ts'
import * as sites from './sites.ts'

export const en = { ...accounts, ...ranking, ...search, ...settings, ...site, ...sites }

export type Words = typeof en
