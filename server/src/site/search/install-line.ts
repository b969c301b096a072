// The command that installs a package, by the address of its page in a registry. It is made here of the name in that
// address, and only if the name keeps to the registry's alphabet: nothing in it can mean anything to a shell, and it
// can't be an option, whatever a provider sends. Of a page that belongs to no package, such as a list of versions,
// there is none.

/** The host, the path of a package's page, of which the group is the name, and what installs it. */
type Registry = readonly [host: string, path: RegExp, command: string]

const REGISTRIES: readonly Registry[] = [
  ['www.npmjs.com', /^\/package\/((?:@[A-Za-z0-9][\w.-]{0,99}\/)?[A-Za-z0-9][\w.-]{0,213})$/, 'npm install'],
  ['pypi.org', /^\/project\/([A-Za-z0-9][\w.-]{0,99})\/?$/, 'pip install'],
  ['crates.io', /^\/crates\/([A-Za-z][\w-]{0,63})$/, 'cargo add'],
  ['packagist.org', /^\/packages\/([a-z0-9][\w.-]{0,99}\/[a-z0-9][\w.-]{0,99})$/, 'composer require'],
  ['hub.docker.com', /^\/r\/([a-z0-9][\w-]{0,99}\/[a-z0-9][\w.-]{0,99})$/, 'docker pull'],
  // An official image has no owner.
  ['hub.docker.com', /^\/_\/([a-z0-9][\w.-]{0,99})$/, 'docker pull'],
  ['flathub.org', /^\/apps\/([A-Za-z][\w-]{0,99}(?:\.[A-Za-z_][\w-]{0,99}){2,9})$/, 'flatpak install flathub'],
]

/** '' if the address isn't that of a package. */
export function installLine(address: string): string {
  const url = URL.parse(address)
  for (const [host, path, command] of REGISTRIES) {
    const name = url?.host === host ? path.exec(url.pathname)?.[1] : undefined
    if (name !== undefined) return `${command} ${name}`
  }
  return ''
}
