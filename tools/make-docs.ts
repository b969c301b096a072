// `npm run docs`: writes every generated document, and fills in the facts and tables of the others.
import { writeFile } from 'node:fs/promises'
import { generateDocuments } from './docs/generated-documents.ts'

const ROOT = new URL('../', import.meta.url)

for (const [path, text] of await generateDocuments()) await writeFile(new URL(path, ROOT), text)
