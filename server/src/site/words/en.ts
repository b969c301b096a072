// English, and with it the shape of every dictionary. A careful editor's labels: sentence case, verbs on buttons.
import { accountsEn } from '../i18n/en/accounts.ts'
import { adminEn } from './admin-en.ts'
import { answersEn } from '../i18n/en/answers.ts'
import { docsEn } from './docs-en.ts'
import { frameEn } from '../i18n/en/frame.ts'
import { mapsEn } from '../i18n/en/maps.ts'
import { searchEn } from '../i18n/en/search.ts'
import { settingsEn } from '../i18n/en/settings.ts'
import { statusEn } from './status-en.ts'
import { translateEn } from './translate-en.ts'

export const en = {
  frame: frameEn,
  accounts: accountsEn,
  search: searchEn,
  answers: answersEn,
  maps: mapsEn,
  translate: translateEn,
  settings: settingsEn,
  status: statusEn,
  docs: docsEn,
  admin: adminEn,
}

export type Words = typeof en
