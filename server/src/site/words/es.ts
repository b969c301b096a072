// Spanish.

import { accountsEs } from './accounts-es.ts'
import { adminEs } from './admin-es.ts'
import { answersEs } from './answers-es.ts'
import { docsEs } from './docs-es.ts'
import type { Words } from './en.ts'
import { frameEs } from './frame-es.ts'
import { mapsEs } from './maps-es.ts'
import { searchEs } from './search-es.ts'
import { settingsEs } from './settings-es.ts'
import { statusEs } from './status-es.ts'
import { translateEs } from './translate-es.ts'

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
