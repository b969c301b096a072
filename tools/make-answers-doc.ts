// Writes docs/answers.md anew. `server/test/answers-document.test.ts` fails when it is not current.
import { writeFile } from 'node:fs/promises'
import { makeAnswersDocument } from '../server/test/support/answers-document.ts'

await writeFile(new URL('../docs/answers.md', import.meta.url), await makeAnswersDocument())
