// Adds to an SBOM (CycloneDX) what npm doesn't know: the Debian packages of the machine that it runs on, and its Node.js.
// deploy/Containerfile runs it on the image's own base: node tools/list-os-packages.ts sbom.cdx.json
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const [file = 'sbom.cdx.json'] = process.argv.slice(2)
const sbom = JSON.parse(readFileSync(file, 'utf8'))
const format = ['Package', 'Version', 'Architecture'].map((field) => `\${${field}}`).join('\t')
const installed = execFileSync('dpkg-query', ['--show', `--showformat=${format}\n`], { encoding: 'utf8' })

const component = (type: string, name: string, version: string, purl: string) => ({
  type,
  'bom-ref': purl,
  name,
  version,
  purl,
})
const packages = installed
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', version = '', architecture = ''] = line.split('\t')
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
    return component('library', name, version, purl)
  })
const { node } = process.versions
sbom.components.push(component('application', 'node', node, `pkg:generic/node@${node}`), ...packages)
writeFileSync(file, JSON.stringify(sbom, null, 2))
