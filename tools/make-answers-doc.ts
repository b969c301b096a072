// Regenerates docs/reference/answers.md. `server/test/answers-document.test.ts` fails if it is out of date.
import { writeFile } from 'node:fs/promises'
import { makeAnswersDocument } from '../server/test/support/answers-document.ts'

await writeFile(new URL('../docs/reference/answers.md', import.meta.url), await makeAnswersDocument())
