// French.

import { accountsFr } from './accounts-fr.ts'
import { adminFr } from './admin-fr.ts'
import { answersFr } from './answers-fr.ts'
import { docsFr } from './docs-fr.ts'
import type { Words } from './en.ts'
import { frameFr } from './frame-fr.ts'
import { mapsFr } from './maps-fr.ts'
import { searchFr } from './search-fr.ts'
import { settingsFr } from './settings-fr.ts'
import { statusFr } from './status-fr.ts'
import { translateFr } from './translate-fr.ts'

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
