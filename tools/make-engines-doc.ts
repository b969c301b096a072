// Writes docs/engines.md anew. `server/test/engines-document.test.ts` fails when it is not current.
import { writeFile } from 'node:fs/promises'
import { makeEnginesDocument } from '../server/test/support/engines-document.ts'

await writeFile(new URL('../docs/engines.md', import.meta.url), makeEnginesDocument())
