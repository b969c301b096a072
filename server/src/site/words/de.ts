// German.

import { accountsDe } from '../i18n/de/accounts.ts'
import { adminDe } from '../i18n/de/admin.ts'
import { answersDe } from '../i18n/de/answers.ts'
import { docsDe } from '../i18n/de/docs.ts'
import type { Words } from './en.ts'
import { frameDe } from '../i18n/de/frame.ts'
import { mapsDe } from '../i18n/de/maps.ts'
import { searchDe } from '../i18n/de/search.ts'
import { settingsDe } from '../i18n/de/settings.ts'
import { statusDe } from '../i18n/de/status.ts'
import { translateDe } from '../i18n/de/translate.ts'

export const de: Words = {
  frame: frameDe,
  accounts: accountsDe,
  search: searchDe,
  answers: answersDe,
  maps: mapsDe,
  translate: translateDe,
  settings: settingsDe,
  status: statusDe,
  docs: docsDe,
  admin: adminDe,
}
