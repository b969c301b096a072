// English, which defines the shape of every dictionary. Labels are in sentence case, with verbs on buttons.
import * as accounts from './accounts.ts'
import * as search from './search.ts'
import * as settings from './settings.ts'
import * as site from './site.ts'

export const en = { ...accounts, ...search, ...settings, ...site }

export type Words = typeof en
