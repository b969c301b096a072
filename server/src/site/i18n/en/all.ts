// English, which defines the shape of every dictionary. Labels are in sentence case, with verbs on buttons.
import { accounts, security } from './accounts.ts'
import { answers, maps, reading, search, translate } from './search.ts'
import { admin, connect, settings } from './settings.ts'
import { docs, frame, status } from './site.ts'

export const en = {
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

export type Words = typeof en
