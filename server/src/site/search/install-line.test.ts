import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { installLine } from './install-line.ts'

describe('the command that installs a package', () => {
  it.each([
    ['https://www.npmjs.com/package/oak-tree', 'npm install oak-tree'],
    ['https://www.npmjs.com/package/@trees/ash', 'npm install @trees/ash'],
    ['https://www.npmjs.com/package/JSONStream?activeTab=code', 'npm install JSONStream'],
    ['https://pypi.org/project/oak-tree/', 'pip install oak-tree'],
    ['https://crates.io/crates/oak_tree', 'cargo add oak_tree'],
    ['https://packagist.org/packages/trees/oak', 'composer require trees/oak'],
    ['https://hub.docker.com/r/northfield/heat-pump', 'docker pull northfield/heat-pump'],
    ['https://hub.docker.com/_/oak', 'docker pull oak'],
    ['https://flathub.org/apps/example.lamps.Pump', 'flatpak install flathub example.lamps.Pump'],
  ])('of %s is %s', (address, line) => {
    expect(installLine(address)).toBe(line)
  })

  it.each([
    '',
    'no address',
    'https://npmjs.example/package/oak',
    'https://www.npmjs.com.example/package/oak',
    'https://www.npmjs.com/package/-g',
    'https://www.npmjs.com/package/--ignore',
    'https://www.npmjs.com/package/~root',
    'https://www.npmjs.com/package/.hidden',
    'https://www.npmjs.com/package/oak;reboot',
    'https://www.npmjs.com/package/oak$(reboot)',
    'https://www.npmjs.com/package/oak`reboot`',
    'https://www.npmjs.com/package/oak%20%26%26%20reboot',
    'https://www.npmjs.com/package/oak/v/1.0.0',
    'https://www.npmjs.com/package/@-x/oak',
    'https://www.npmjs.com/search?q=oak',
    'https://crates.io/crates/oak/1.0.0',
    'https://hub.docker.com/r/northfield',
    'https://hub.docker.com/_/northfield/oak/tags',
    'https://flathub.org/apps/search',
  ])('there is none for %j', (address) => {
    expect(installLine(address)).toBe('')
  })

  const PATHS = [
    'www.npmjs.com/package/',
    'pypi.org/project/',
    'crates.io/crates/',
    'packagist.org/packages/',
    'hub.docker.com/r/',
    'hub.docker.com/_/',
    'flathub.org/apps/',
  ]
  const ALLOWED_IN_NAMES = 'aZ9-._/@'.split('')
  const MEANT_FOR_SHELLS = '~$`;|&<>(){}*?#!%\'"\\ \n\t=:,^[]'.split('')
  const character = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...ALLOWED_IN_NAMES) },
    { weight: 1, arbitrary: fc.constantFrom(...MEANT_FOR_SHELLS) },
    { weight: 1, arbitrary: fc.string({ maxLength: 1 }) },
  )
  const name = fc.array(character, { maxLength: 12 }).map((parts) => parts.join(''))

  it('holds nothing that a shell could take for anything but words, and no option, whatever the name', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PATHS), name, (path, given) => {
        const line = installLine(`https://${path}${given}`)
        if (line === '') return
        expect(line).toMatch(
          /^(?:npm install|pip install|cargo add|composer require|docker pull|flatpak install flathub) [^ ]+$/,
        )
        expect(line).toMatch(/^[\w@./ -]+$/)
        expect(line.split(' ').at(-1)).toMatch(/^@?[A-Za-z0-9]/)
      }),
      { numRuns: 2000 },
    )
  })
})
