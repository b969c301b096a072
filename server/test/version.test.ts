// `npm version <version> --workspaces --no-git-tag-version` changes every manifest; the Python client's is changed by hand.
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

it('the command and the manifest name the same oldest Node.js', () => {
  const oldest = /^>=([\d.]+)$/.exec(rootManifest.engines.node)?.[1]
  const [major, minor] = oldest?.split('.') ?? []
  const command = read('server/bowerbird.js')
  expect(command).toContain(`needs Node.js ${oldest} or later`)
  expect(command).toContain(`major > ${major} || (major === ${major} && minor >= ${minor})`)
})
