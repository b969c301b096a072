// English, which defines the shape of every dictionary. Labels are in sentence case, with verbs on buttons.
import { accountsEn } from './accounts.ts'
import { adminEn } from './admin.ts'
import { answersEn } from './answers.ts'
import { connectEn } from './connect.ts'
import { docsEn } from './docs.ts'
import { frameEn } from './frame.ts'
import { mapsEn } from './maps.ts'
import { readingEn } from './reading.ts'
import { searchEn } from './search.ts'
import { securityEn } from './security.ts'
import { settingsEn } from './settings.ts'
import { statusEn } from './status.ts'
import { translateEn } from './translate.ts'

export const en = {
  frame: frameEn,
  accounts: accountsEn,
  search: searchEn,
  reading: readingEn,
  answers: answersEn,
  maps: mapsEn,
  translate: translateEn,
  settings: settingsEn,
  security: securityEn,
  status: statusEn,
  docs: docsEn,
  connect: connectEn,
  admin: adminEn,
}

export type Words = typeof en
