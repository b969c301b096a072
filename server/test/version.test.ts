// `npm version <version> --workspaces --no-git-tag-version` changes every manifest; the Python client's and server.json are
// changed by hand.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import rootManifest from '../../package.json' with { type: 'json' }
import manifest from '../package.json' with { type: 'json' }

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8')

it('the server, its libraries and both clients have one version', () => {
  const versions = rootManifest.workspaces.map((folder) => JSON.parse(read(`${folder}/package.json`)).version)
  const python = /^version = "(.+)"$/m.exec(read('clients/python/pyproject.toml'))?.[1]
  expect([...versions, python].filter((version) => version !== manifest.version)).toEqual([])
})

it("server.json for MCP's registry names this version, and the package that proves whose it is", () => {
  const text = read('server.json')
  const { name, version, description, packages } = JSON.parse(text)
  const [npm] = packages
  expect([name, version, npm.version]).toEqual([manifest.mcpName, manifest.version, manifest.version])
  // The registry's limits.
  expect([description.length <= 100, Buffer.byteLength(text) <= 4_096]).toEqual([true, true])
  const command = read('server/src/cli/mcp-command.ts')
  for (const { name: variable } of npm.environmentVariables) expect(command).toContain(`process.env['${variable}']`)
})

it('the command and the manifest name the same oldest Node.js', () => {
  const oldest = /^>=([\d.]+)$/.exec(rootManifest.engines.node)?.[1]
  const [major, minor] = oldest?.split('.') ?? []
  const command = read('server/bowerbird.js')
  expect(command).toContain(`needs Node.js ${oldest} or later`)
  expect(command).toContain(`major > ${major} || (major === ${major} && minor >= ${minor})`)
})
