// The table of error codes in docs/api/errors.md, made from the codes themselves.
import { ERROR_CODES } from '../../server/src/errors.ts'

const rowOf = ([code, { status, meaning }]: [string, (typeof ERROR_CODES)[keyof typeof ERROR_CODES]]): string =>
  `| \`${code}\` | ${status} | ${meaning.replace(/\.$/, '')} |`

export const errorTable = (): string =>
  ['| `Error-Code` | status | meaning |', '|---|---|---|', ...Object.entries(ERROR_CODES).map(rowOf)].join('\n')
