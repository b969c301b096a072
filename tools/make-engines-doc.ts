// Regenerates docs/reference/engines.md. `server/test/engines-document.test.ts` fails if it is out of date.
import { writeFile } from 'node:fs/promises'
import { makeEnginesDocument } from '../server/test/support/engines-document.ts'

await writeFile(new URL('../docs/reference/engines.md', import.meta.url), makeEnginesDocument())
