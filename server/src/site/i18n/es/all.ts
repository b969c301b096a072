// Spanish.

import type { Words } from '../en/all.ts'
import { accountsEs } from './accounts.ts'
import { adminEs } from './admin.ts'
import { answersEs } from './answers.ts'
import { connectEs } from './connect.ts'
import { docsEs } from './docs.ts'
import { frameEs } from './frame.ts'
import { mapsEs } from './maps.ts'
import { readingEs } from './reading.ts'
import { searchEs } from './search.ts'
import { securityEs } from './security.ts'
import { settingsEs } from './settings.ts'
import { statusEs } from './status.ts'
import { translateEs } from './translate.ts'

export const es: Words = {
  frame: frameEs,
  accounts: accountsEs,
  search: searchEs,
  reading: readingEs,
  answers: answersEs,
  maps: mapsEs,
  translate: translateEs,
  settings: settingsEs,
  security: securityEs,
  status: statusEs,
  docs: docsEs,
  connect: connectEs,
  admin: adminEs,
}
