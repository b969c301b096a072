// Adds to an SBOM (CycloneDX) what npm doesn't know: the Debian packages of the machine that it runs on, and its Node.js.
// deploy/Containerfile runs it on the image's own base: node tools/list-os-packages.ts sbom.cdx.json
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
const sbom = JSON.parse(readFileSync(file, 'utf8'))
const format = ['Package', 'Version', 'Architecture'].map((field) => `\${${field}}`).join('\t')
const installed = execFileSync('dpkg-query', ['--show', `--showformat=${format}\n`], { encoding: 'utf8' })

const { node } = process.versions
const found = [{ type: 'application', name: 'node', version: node, purl: `pkg:generic/node@${node}` }]
for (const line of installed.trim().split('\n')) {
  const [name = '', version = '', architecture = ''] = line.split('\t')
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
  found.push({ type: 'library', name, version, purl })
}
sbom.components.push(...found.map((component) => ({ ...component, 'bom-ref': component.purl })))
writeFileSync(file, JSON.stringify(sbom, null, 2))
