// English, and with it the shape of every dictionary. A careful editor's labels: sentence case, verbs on buttons.
import { accountsEn } from './accounts-en.ts'
import { adminEn } from './admin-en.ts'
import { answersEn } from './answers-en.ts'
import { docsEn } from './docs-en.ts'
import { frameEn } from './frame-en.ts'
import { mapsEn } from './maps-en.ts'
import { searchEn } from './search-en.ts'
import { settingsEn } from './settings-en.ts'
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
