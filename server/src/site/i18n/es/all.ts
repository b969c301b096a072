// Spanish.
import type { Words } from '../en/all.ts'
import { accounts, security } from './accounts.ts'
import { answers, maps, reading, search, translate } from './search.ts'
import { admin, connect, settings } from './settings.ts'
import { docs, frame, status } from './site.ts'

export const es: Words = {
  search,
  answers,
  reading,
  maps,
  translate,
  accounts,
  security,
  settings,
  connect,
  admin,
  frame,
  status,
  docs,
}
