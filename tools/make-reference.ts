// Regenerates the pages of docs/reference/. `server/test/reference-documents.test.ts` fails if one is out of date.
import { writeFile } from 'node:fs/promises'
import { REFERENCE_PAGES } from '../server/test/support/reference-pages.ts'

const FOLDER = new URL('../docs/reference/', import.meta.url)

for (const [name, make] of Object.entries(REFERENCE_PAGES)) await writeFile(new URL(name, FOLDER), await make())
