// Reads what a provider says of a project, a package or a question, whatever its type.
import type { Software } from '../engine.ts'
import { asCount, asTitle } from './json-reply.ts'

/** What SPDX says where a licence is not one that it knows. */
const NO_LICENCE = 'NOASSERTION'

/** `undefined` if nothing is said. */
export const softwareOf = (given: { readonly [Name in keyof Software]: unknown }): Software | undefined => {
  const software: Software = {}
  for (const name of ['stars', 'downloads', 'votes'] as const) {
    const count = asCount(given[name])
    if (count !== undefined) software[name] = count
  }
  for (const name of ['language', 'licence', 'version'] as const) {
    const text = asTitle(given[name])
    if (text !== '' && text !== NO_LICENCE) software[name] = text
  }
  if (given.isAnswered === true) software.isAnswered = true
  return Object.keys(software).length > 0 ? software : undefined
}
