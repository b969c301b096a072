// Rules about the source that keep whole classes of mistakes out, for docs/operate/asvs.md to point at: no statement made
// of text, no program started, no code made at run time, cryptography from few places, one place that writes logs.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../src/settings/configuration.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Those of the service without `server/src/`, those of the libraries with their path. */
const files = globSync('{engines,answers,reader,server}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.test(?:-\w+)?\.ts$/.test(path) && !path.endsWith('.d.ts'))
  .map((path) => {
    const file = path.replace(/^server\/src\//, '')
    return { file, folder: dirname(file), text: withoutComments(readFileSync(join(ROOT, path), 'utf8')) }
  })

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}

/** Where a pattern occurs: the files, in order. */
const filesWith = (pattern: RegExp): string[] => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

/** Everything a pattern finds, as `file: what`. */
const found = (pattern: RegExp): string[] =>
  files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => `${file}: ${match[1] ?? match[0]}`))

const outside = (folder: string, places: string[]): string[] =>
  places.filter((place) => !place.startsWith(`${folder}/`))

it('there are sources to look at', () => {
  expect(files.length).toBeGreaterThan(300)
})

describe('nothing that is sent becomes code', () => {
  it('no statement for the database is put together from text', () => {
    expect(filesWith(/\bsql\.raw\b/)).toEqual([])
    // Texts written into a statement: the months of usage and the number of a lock, which are ours.
    expect(outside('postgres', filesWith(/\bsql\.lit\b/))).toEqual([])
    // Statements that are sent as they stand hold parameters, and no pieces but constants.
    const statements = files
      .filter(({ text }) => /\bNamedStatement\b/.test(text))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/\btext: `([^`]*)`/g)].map((match) => ({ file, statement: match[1] ?? '' })),
      )
    expect(statements.length).toBeGreaterThan(2)
    expect(statements.filter(({ statement }) => /\$\{(?![A-Z_]+\})/.test(statement))).toEqual([])
  })

  it('no program is started, except our own workers', () => {
    expect(filesWith(/'node:child_process'|process\.(?:binding|dlopen)/)).toEqual([])
    expect(outside('operate', filesWith(/'node:cluster'/))).toEqual([])
    expect(filesWith(/\bexecve\b/)).toEqual([])
  })

  it('no code is made at run time', () => {
    expect(filesWith(/\beval\(|\bFunction\(|node:(?:vm|repl|inspector)/)).toEqual([])
    // What is loaded later is named in the source.
    const computed = found(/\bimport\(\s*([^'\s][^)]*)\)/g).filter((place) => !/: (?:typeof|type)\b/.test(place))
    expect(computed).toEqual([])
  })

  it('no pattern is made of what somebody sent', () => {
    const patterns = found(/\bnew RegExp\(\s*(`[^`]*`|[^)]*)/g)
    expect(patterns.length).toBeGreaterThan(100)
    const pieces = patterns.flatMap((pattern) =>
      (pattern.match(/\$\{[^}]*\}|RegExp\(\w+/g) ?? []).map((piece) => `${pattern.split(':')[0]} ${piece}`),
    )
    // Instant answers put theirs together from words of the source, the others from constants.
    const others = pieces.filter((piece) => !piece.startsWith('answers/') && !/\$\{[A-Z_]+\}$/.test(piece))
    // One of two letters.
    expect(others).toEqual([`engines/src/sources/openlibrary.ts \${letter}`])
    const sent = /\{(?:text|query|question|input|typed|given|body|params)\b/
    expect(pieces.filter((piece) => sent.test(piece))).toEqual([])
  })

  it('no document is parsed as XML or by a parser that runs what it reads', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(resolve(ROOT, 'server/package.json'), 'utf8'),
    )
    expect(
      Object.keys(dependencies).filter((name) => /xml|xpath|xslt|ldap|yaml|serialize|handlebars/.test(name)),
    ).toEqual([])
    expect(filesWith(/\bdeserialize\(|structuredClone\(JSON/)).toEqual([])
    expect(filesWith(/from 'node:v8'/)).toEqual([])
  })

  it('files are opened under names of our own: nothing that answers requests opens any', () => {
    const opening = filesWith(/from 'node:fs(?:\/promises)?'/)
    expect(opening.length).toBeGreaterThan(5)
    const answering =
      /^(?:api|search|engines|cards|maps|translate|upstream|cache|rate-limit|usage|budget|keys|audit|health|text|site)\//
    // The assets are read once, when the process starts, and the table of bangs when the first one is used.
    expect(opening.filter((file) => answering.test(file))).toEqual(['site/assets.ts', 'site/bangs/bang-table.ts'])
  })
})

describe('cryptography', () => {
  it('comes from Node and four packages, in these places', () => {
    const modules = new Set(
      found(/from '(node:crypto|@noble\/[^']+|@node-rs\/[^']+|otpauth|@simplewebauthn\/[^']+)'/g).map(
        (place) => place.split(': ')[1],
      ),
    )
    expect(modules).toEqual(new Set(['node:crypto', 'otpauth']))
    const loadedLater = new Set(
      found(/import\('(@noble\/\w+|@node-rs\/\w+|@simplewebauthn\/\w+)/g).map((place) => place.split(': ')[1]),
    )
    expect(loadedLater).toEqual(new Set(['@noble/hashes', '@node-rs/argon2', '@simplewebauthn/server']))
    expect(filesWith(/crypto-js|bcrypt|tweetnacl|sjcl/)).toEqual([])
  })

  it('hashes with SHA-256, encrypts with AES-256-GCM and derives keys with HKDF, and with nothing weaker', () => {
    const hashes = outside('answers', found(/\b(?:createHash|createHmac|hash|hkdfSync)\(\s*'([^']+)'/g))
    expect(hashes.length).toBeGreaterThan(10)
    // Redis names its scripts by their SHA-1; nothing relies on it.
    expect(hashes.filter((place) => !place.endsWith(': sha256') && !/^redis\/redis.*: sha1$/.test(place))).toEqual([])
    expect(filesWith(/createCipheriv|createDecipheriv/).map((file) => basename(file))).toEqual(['cryptography.ts'])
    const ciphers = found(/'((?:aes|des|des3|rc[24]|chacha20|blowfish|bf)(?:-[\w-]+)?)'/g)
    expect(ciphers.map((place) => place.split(': ')[1])).toEqual(['aes-256-gcm'])
    expect(
      filesWith(/\b(?:createSign|createVerify|generateKeyPair|publicEncrypt|privateDecrypt|pbkdf2|scrypt)(?:Sync)?\(/),
    ).toEqual([])
  })

  it('takes what nobody may guess from the system’s generator', () => {
    // Elsewhere it spreads work over time: when to look again, when to try again.
    const guarded = /^(?:accounts|keys|audit|site|api|cli|postgres\/instance-secret)\b/
    expect(filesWith(/\bMath\.random\b/).filter((file) => guarded.test(file))).toEqual([])
    expect(found(/randomBytes[^\n]*from '([^']+)'/g).filter((place) => !place.endsWith('node:crypto'))).toEqual([])
  })

  it('is never told to trust a certificate that it should not', () => {
    expect(
      filesWith(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|minVersion|secureProtocol/),
    ).toEqual([])
  })
})

describe('logs', () => {
  it('go to standard error by one logger, and nowhere else', () => {
    // An example for readers of the documentation.
    expect(outside('site/docs', filesWith(/\bconsole\./))).toEqual([])
    expect(filesWith(/pino\.destination|from 'pino'/)).toEqual(['log.ts'])
    // Backups.
    expect(outside('postgres', filesWith(/appendFile|createWriteStream/))).toEqual([])
  })

  it('of security events are written and pruned, and changed by nothing', () => {
    expect(
      outside('audit', filesWith(/(?:insertInto|deleteFrom)\('audit_events'\)|(?:into|from) audit_events/)),
    ).toEqual([])
    // A restore replaces the whole database, which only the operator of the machine can do.
    const changing = filesWith(/updateTable\('audit_events'\)|update audit_events|\btruncate\b/)
    expect(outside('postgres', changing)).toEqual([])
  })
})

describe('secrets', () => {
  it('have no default that anybody could know', () => {
    const known = readConfiguration({}).shown.filter(
      ({ env, shown }) => /SECRET|TOKEN|KEY|_URL$/.test(env) && shown === 'set',
    )
    // Marginalia's own key for everybody.
    expect(known.map(({ env }) => env)).toEqual(['MARGINALIA_API_KEY'])
    const required = [...ALL_ENGINES, ...ALL_SOURCES].flatMap(({ settings }) => Object.values(settings))
    const secrets = required.filter(({ isSecret }) => isSecret)
    expect(secrets.filter(({ env }) => !env.endsWith('_API_KEY'))).toEqual([])
    expect(secrets.filter(({ fallback }) => fallback).map(({ env }) => env)).toEqual(['MARGINALIA_API_KEY'])
  })

  it('are in no file of the repository', () => {
    const everything = globSync(['**/*.{ts,js,json,md,yml}', '.github/**/*.yml', '.ci/*'], {
      cwd: ROOT,
      exclude: (name) => name.includes('node_modules') || name === 'package-lock.json',
    })
    const secret =
      /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_\w{36}\b|\bsk-[A-Za-z0-9]{32,}/
    const guilty = everything.filter((file) => secret.test(readFileSync(resolve(ROOT, file), 'utf8')))
    expect(everything.length).toBeGreaterThan(500)
    expect(guilty).toEqual([])
  })
})

describe('the packages that run', () => {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8'),
  )
  const running = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
  )

  it('are each pinned by version and hash', () => {
    expect(running.length).toBeGreaterThan(100)
    expect(running.filter(([, { version, integrity = '' }]) => !version || !integrity.startsWith('sha512-'))).toEqual(
      [],
    )
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(resolve(ROOT, 'server/package.json'), 'utf8'),
    )
    expect(Object.values(dependencies).filter((version) => !/^(?:\d+\.\d+\.\d+|\*|file:.*)$/.test(version))).toEqual([])
  })

  it('run nothing when they are installed', () => {
    expect(running.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
  })
})

interface LockedPackage {
  version?: string
  integrity?: string
  dev?: boolean
  devOptional?: boolean
  link?: boolean
  hasInstallScript?: boolean
}
