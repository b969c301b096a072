// Names licences as people write them: `CC BY-SA 4.0`, whatever the provider sends.
import type { Licence } from '../engine.ts'
import { hostOf, httpAddress } from './http-address.ts'
import { asTitle } from './json-reply.ts'

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
const codedLicence = (code: string, version: string | undefined, address: string): Licence | undefined => {
  const short = code.toLowerCase()
  return namedLicence(`${NAMES[short] ?? `CC ${short.toUpperCase()}`} ${version ?? ''}`, address)
}

const CREATIVE_COMMONS =
  /^https?:\/\/creativecommons\.org\/(?:licenses|publicdomain)\/(?<code>[a-z-]{2,12})\/(?<version>\d\.\d)\b/i

/** From the address of its text; named after the site if we don't know it. */
const licenceAt = (address: string): Licence | undefined => {
  const { code, version } = CREATIVE_COMMONS.exec(address)?.groups ?? {}
  return code === undefined ? namedLicence(hostOf(httpAddress(address)), address) : codedLicence(code, version, address)
}

const CODE = /^(?<code>by(?:-nc)?(?:-nd|-sa)?|(?:nc-)?sampling\+|cc0|pdm)(?: (?<version>\d\.\d))?$/i

/** From whatever the provider sends: a name, Creative Commons' short code with or without a version, or an address. */
export const readLicence = (text: string, address: string): Licence | undefined => {
  const { code, version } = CODE.exec(text)?.groups ?? {}
  if (code !== undefined) return codedLicence(code, version, address)
  return httpAddress(text) === '' ? namedLicence(text, address) : licenceAt(text)
}
