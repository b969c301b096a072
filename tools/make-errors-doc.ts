// Regenerates the table of codes in docs/api/errors.md. `server/test/errors-document.test.ts` fails if it is out of date.
import { readFile, writeFile } from 'node:fs/promises'
import { withErrorCodes } from '../server/test/support/errors-document.ts'

const PAGE = new URL('../docs/api/errors.md', import.meta.url)

await writeFile(PAGE, withErrorCodes(await readFile(PAGE, 'utf8')))
