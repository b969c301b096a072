// German.

import type { Words } from '../en/all.ts'
import { accountsDe } from './accounts.ts'
import { adminDe } from './admin.ts'
import { answersDe } from './answers.ts'
import { connectDe } from './connect.ts'
import { docsDe } from './docs.ts'
import { frameDe } from './frame.ts'
import { mapsDe } from './maps.ts'
import { readingDe } from './reading.ts'
import { searchDe } from './search.ts'
import { securityDe } from './security.ts'
import { settingsDe } from './settings.ts'
import { statusDe } from './status.ts'
import { translateDe } from './translate.ts'

export const de: Words = {
  frame: frameDe,
  accounts: accountsDe,
  search: searchDe,
  reading: readingDe,
  answers: answersDe,
  maps: mapsDe,
  translate: translateDe,
  settings: settingsDe,
  security: securityDe,
  status: statusDe,
  docs: docsDe,
  connect: connectDe,
  admin: adminDe,
}
