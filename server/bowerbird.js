#!/usr/bin/env node
// The command `bowerbird`. Checks the version of Node.js before anything else is loaded, because an older one fails on
// the program's syntax and imports with a stack trace that names no version. So this file is plain JavaScript that
// Node.js 18 can parse.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major > 24 || (major === 24 && minor >= 11)) {
  await import('./src/bowerbird.ts')
} else {
  process.stderr.write(`Bowerbird needs Node.js 24.11 or later; this is ${process.version}.\n`)
  process.exitCode = 1
}
