// Prints an SBOM (CycloneDX) of a release: of the packages that are inside and of those that npm installs beside it, in
// the versions of our lock file. Takes a folder with the `node_modules` that `npm ci --workspace=server --omit=dev` made,
// without links to our own packages; only there, npm lists what is also in the bundle. Runs after `npm run build`:
// node tools/make-sbom.ts <folder>
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const readManifest = (folder: string) => JSON.parse(readFileSync(resolve(ROOT, folder, 'package.json'), 'utf8'))

const [folder = '.'] = process.argv.slice(2)
const workspaces = ['server', 'engines', 'answers', 'reader'].map(readManifest)
const all = workspaces.flatMap((each) => Object.entries<string>(each.dependencies))
const dependencies = Object.fromEntries(all.filter(([name]) => !name.startsWith('@bowerbird/')))
writeFileSync(resolve(folder, 'package.json'), JSON.stringify({ ...readManifest('dist'), dependencies }))
const sbom = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx'], { cwd: folder, maxBuffer: 50_000_000 })
process.stdout.write(sbom)
