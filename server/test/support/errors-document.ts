// The table of error codes in docs/api/errors.md, made from the codes themselves.
import { ERROR_CODES } from '../../src/errors.ts'

const TABLE = /(?<=<!-- codes: written by npm run docs -->\n\n).*?(?=\n\n<!-- end -->)/s

const rowOf = ([code, { status, meaning }]: [string, (typeof ERROR_CODES)[keyof typeof ERROR_CODES]]): string =>
  `| \`${code}\` | ${status} | ${meaning.replace(/\.$/, '')} |`

const table = (): string =>
  ['| `Error-Code` | status | meaning |', '|---|---|---|', ...Object.entries(ERROR_CODES).map(rowOf)].join('\n')

/** The page with its table brought up to date. */
export const withErrorCodes = (page: string): string => page.replace(TABLE, table())
