// German.

import { accountsDe } from './accounts-de.ts'
import { adminDe } from './admin-de.ts'
import { answersDe } from './answers-de.ts'
import { docsDe } from './docs-de.ts'
import type { Words } from './en.ts'
import { frameDe } from './frame-de.ts'
import { mapsDe } from './maps-de.ts'
import { searchDe } from './search-de.ts'
import { settingsDe } from './settings-de.ts'
import { statusDe } from './status-de.ts'
import { translateDe } from './translate-de.ts'

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
