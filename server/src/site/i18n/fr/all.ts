// French.

import type { Words } from '../en/all.ts'
import { accountsFr } from './accounts.ts'
import { adminFr } from './admin.ts'
import { answersFr } from './answers.ts'
import { connectFr } from './connect.ts'
import { docsFr } from './docs.ts'
import { frameFr } from './frame.ts'
import { mapsFr } from './maps.ts'
import { readingFr } from './reading.ts'
import { searchFr } from './search.ts'
import { securityFr } from './security.ts'
import { settingsFr } from './settings.ts'
import { statusFr } from './status.ts'
import { translateFr } from './translate.ts'

export const fr: Words = {
  frame: frameFr,
  accounts: accountsFr,
  search: searchFr,
  reading: readingFr,
  answers: answersFr,
  maps: mapsFr,
  translate: translateFr,
  settings: settingsFr,
  security: securityFr,
  status: statusFr,
  docs: docsFr,
  connect: connectFr,
  admin: adminFr,
}
