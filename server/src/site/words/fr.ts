// French.

import { accountsFr } from '../i18n/fr/accounts.ts'
import { adminFr } from '../i18n/fr/admin.ts'
import { answersFr } from '../i18n/fr/answers.ts'
import { docsFr } from '../i18n/fr/docs.ts'
import type { Words } from './en.ts'
import { frameFr } from '../i18n/fr/frame.ts'
import { mapsFr } from '../i18n/fr/maps.ts'
import { searchFr } from '../i18n/fr/search.ts'
import { settingsFr } from '../i18n/fr/settings.ts'
import { statusFr } from '../i18n/fr/status.ts'
import { translateFr } from '../i18n/fr/translate.ts'

export const fr: Words = {
  frame: frameFr,
  accounts: accountsFr,
  search: searchFr,
  answers: answersFr,
  maps: mapsFr,
  translate: translateFr,
  settings: settingsFr,
  status: statusFr,
  docs: docsFr,
  admin: adminFr,
}
