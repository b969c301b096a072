// Regenerates the pages of docs/connect/ for single programs, and their table in its README.
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { connectDocuments, connectTable } from '../server/test/support/connect-documents.ts'

const FOLDER = resolve(import.meta.dirname, '../docs/connect')
const TABLE = /(?<=<!-- programs -->\n\n).*?(?=\n\n<!-- end -->)/s

for (const [name, content] of connectDocuments()) writeFileSync(resolve(FOLDER, name), content)
const readme = resolve(FOLDER, 'README.md')
writeFileSync(readme, readFileSync(readme, 'utf8').replace(TABLE, connectTable()))
