// Spanish.

import { accountsEs } from '../i18n/es/accounts.ts'
import { adminEs } from '../i18n/es/admin.ts'
import { answersEs } from '../i18n/es/answers.ts'
import { docsEs } from '../i18n/es/docs.ts'
import type { Words } from './en.ts'
import { frameEs } from '../i18n/es/frame.ts'
import { mapsEs } from '../i18n/es/maps.ts'
import { searchEs } from '../i18n/es/search.ts'
import { settingsEs } from '../i18n/es/settings.ts'
import { statusEs } from '../i18n/es/status.ts'
import { translateEs } from '../i18n/es/translate.ts'

export const es: Words = {
  frame: frameEs,
  accounts: accountsEs,
  search: searchEs,
  answers: answersEs,
  maps: mapsEs,
  translate: translateEs,
  settings: settingsEs,
  status: statusEs,
  docs: docsEs,
  admin: adminEs,
}
