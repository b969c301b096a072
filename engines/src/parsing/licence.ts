// Names licences as people write them: `CC BY-SA 4.0`, whatever the provider sends.
import type { Licence } from '../engine.ts'
import { hostOf, httpAddress } from './http-address.ts'
import { asString, asTitle } from './json-reply.ts'

const NAMES: Readonly<Record<string, string>> = {
  cc0: 'CC0',
  zero: 'CC0',
  pdm: 'Public Domain Mark',
  mark: 'Public Domain Mark',
}

/** A licence as the provider names it; `undefined` without a name. */
export const namedLicence = (name: unknown, address?: unknown): Licence | undefined => {
  const shown = asTitle(name)
  return shown === '' ? undefined : { name: shown, url: httpAddress(address) }
}

/** From Creative Commons' short code and version: `by-sa`, `4.0`. */
export const codedLicence = (code: unknown, version: unknown, address: unknown): Licence | undefined => {
  const short = asTitle(code).toLowerCase()
  if (short === '') return undefined
  return namedLicence(`${NAMES[short] ?? `CC ${short.toUpperCase()}`} ${asTitle(version)}`, address)
}

const CREATIVE_COMMONS =
  /^https?:\/\/creativecommons\.org\/(?:licenses|publicdomain)\/(?<code>[a-z-]{2,12})\/(?<version>\d\.\d)\b/i

/** From the address of its text; named after the site if we don't know it. */
export const licenceAt = (address: unknown): Licence | undefined => {
  const { code, version } = CREATIVE_COMMONS.exec(asString(address))?.groups ?? {}
  return code === undefined ? namedLicence(hostOf(httpAddress(address)), address) : codedLicence(code, version, address)
}
