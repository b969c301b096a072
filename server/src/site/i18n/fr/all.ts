// French.
import type { Words } from '../en/all.ts'
import * as accounts from './accounts.ts'
import * as search from './search.ts'
import * as settings from './settings.ts'
import * as site from './site.ts'

export const fr: Words = { ...accounts, ...search, ...settings, ...site }
