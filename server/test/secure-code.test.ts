// Source rules that rule out whole classes of mistakes, as evidence for docs/security/asvs.md: no SQL built from
// strings, no subprocesses, no code generated at run time, cryptography from few places, one logger.
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { describe, expect, it } from 'vitest'
import { readConfiguration } from '../src/settings/configuration.ts'
import { GUARDS } from './support/guards.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** Files of the service without `server/src/`, files of the libraries with their path. */
const files = globSync('{engines,answers,reader,server}/src/**/*.ts', { cwd: ROOT })
  .filter((path) => !/\.test(?:-\w+)?\.ts$/.test(path) && !path.endsWith('.d.ts'))
  .map((path) => {
    const file = path.replace(/^server\/src\//, '')
    return { file, folder: dirname(file), text: withoutComments(readFileSync(join(ROOT, path), 'utf8')) }
  })

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
}

/** The files that match a pattern, in order. */
const filesWith = (pattern: RegExp): string[] => files.filter(({ text }) => pattern.test(text)).map(({ file }) => file)

/** Every match of a pattern, as `file: match`. */
const found = (pattern: RegExp): string[] =>
  files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => `${file}: ${match[1] ?? match[0]}`))

const outside = (folder: string, places: string[]): string[] =>
  places.filter((place) => !place.startsWith(`${folder}/`))

it('finds the source files', () => {
  expect(files.length).toBeGreaterThan(300)
})

describe('no input becomes code', () => {
  it('no SQL is built from strings', () => {
    expect(filesWith(/\bsql\.raw\b/)).toEqual([])
    // Literals in SQL: the months of usage and the number of a lock, which are our own.
    expect(outside('store', filesWith(/\bsql\.lit\b/))).toEqual([])
    // Raw statements use parameters, and interpolate only constants.
    const statements = files
      .filter(({ file }) => /^store\/\w+-statements\.ts$/.test(file))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/^const [A-Z_]+ = `([^`]*)`/gm)].map((match) => ({ file, statement: match[1] ?? '' })),
      )
    expect(statements.length).toBeGreaterThan(9)
    expect(statements.filter(({ statement }) => /\$\{(?![A-Z_]+\})/.test(statement))).toEqual([])
  })

  it('no subprocess is started, except the one that reads pages, with nothing to steal', () => {
    expect(found(/^import (.*) from 'node:child_process'/gm)).toEqual([
      'reader/src/extractor.ts: { type ChildProcess, type StdioOptions, spawn }',
    ])
    // This Node.js with our own arguments; `extractor.service.test.ts` finds out what it may do.
    expect(found(/\b(spawn\(.*)/g)).toEqual([
      'reader/src/extractor.ts: spawn(process.execPath, extractProcessArguments(), { env: {}, stdio })',
    ])
    expect(filesWith(/process\.(?:binding|dlopen)/)).toEqual([])
    // What isn't imported would escape the rules about imports.
    expect(filesWith(/getBuiltinModule\((?!'node:http'\))/)).toEqual([])
    expect(filesWith(/'node:cluster'/)).toEqual([])
    expect(filesWith(/\bexecve\b/)).toEqual([])
  })

  it('no code is generated at run time', () => {
    expect(filesWith(/\beval\(|\bFunction\(|node:(?:vm|repl|inspector)/)).toEqual([])
    // Dynamic imports name a constant module.
    const computed = found(/\bimport\(\s*([^'\s][^)]*)\)/g).filter((place) => !/: (?:typeof|type)\b/.test(place))
    expect(computed).toEqual([])
  })

  it('no regular expression is built from input', () => {
    const patterns = found(/\bnew RegExp\(\s*(`[^`]*`|[^)]*)/g)
    expect(patterns.length).toBeGreaterThan(100)
    const pieces = patterns.flatMap((pattern) =>
      (pattern.match(/\$\{[^}]*\}|RegExp\(\w+/g) ?? []).map((piece) => `${pattern.split(':')[0]} ${piece}`),
    )
    // Instant answers build theirs from words in the source, the others from constants.
    const others = pieces.filter((piece) => !piece.startsWith('answers/') && !/\$\{[A-Z_]+\}$/.test(piece))
    expect(others).toEqual([])
    const sent = /\{(?:text|query|question|input|typed|given|body|params)\b/
    expect(pieces.filter((piece) => sent.test(piece))).toEqual([])
  })

  it('no document is parsed as XML or by a parser that executes its input', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(resolve(ROOT, 'server/package.json'), 'utf8'),
    )
    expect(
      Object.keys(dependencies).filter((name) => /xml|xpath|xslt|ldap|yaml|serialize|handlebars/.test(name)),
    ).toEqual([])
    expect(filesWith(/\bdeserialize\(|structuredClone\(JSON/)).toEqual([])
    expect(filesWith(/from 'node:v8'/)).toEqual([])
  })

  it('only fixed file names are opened, and no code that serves requests opens files', () => {
    const opening = filesWith(/from 'node:fs(?:\/promises)?'/)
    expect(opening.length).toBeGreaterThan(5)
    // Commands, settings and the database's own folder; nothing there sees a request.
    const operating = /^(?:cli|config|demo|operate|redis|store)\//
    // Tables and assets of ours, under fixed names: at startup, or when the first of their kind is used.
    expect(opening.filter((file) => !operating.test(file)).toSorted()).toEqual([
      'accounts/passwords.ts',
      'answers/src/lib/read-table.ts',
      'answers/src/time/holiday-calendar.ts',
      // The operator's map: opened at start, and then read by that descriptor.
      'maps/map-tiles.ts',
      // The child process that reads pages: its own files, its pipes, and its memory in /proc.
      'reader/src/extract-process-arguments.ts',
      'reader/src/extract-process.ts',
      'reader/src/extractor.ts',
      // The operator's own engines, in the folder that the environment names.
      'settings/own-engines.ts',
      'site/assets.ts',
      'site/i18n/messages.ts',
      'site/maps/map-assets.ts',
      'site/search/bang.ts',
    ])
  })
})

// The routes of the HTTP server declare their guards, and `spec/every-surface.test.ts` walks them. What else listens is
// named here, with the test of its guard.
describe('surfaces', () => {
  it('only these files listen, besides the HTTP server', () => {
    expect(
      filesWith(/from 'node:(?:http|https|http2|net|tls|dgram)'[\s\S]*\b(?:createServer|createSocket)\(/).toSorted(),
    ).toEqual([
      // Their guards: `cli/administration-socket.service.test.ts`, `spec/operations.test.ts`.
      'cli/administration-socket.ts',
      // Only to see whether its port is free.
      'demo/demo.ts',
      'http/health-thread.ts',
      'http/metrics-listener.ts',
    ])
    expect(filesWith(/\bfastify\(\{/)).toEqual(['http/http-server.ts'])
  })

  it('only these files take messages: from Redis, from other processes and from threads', () => {
    // `spec/every-field.test.ts` sends to each channel.
    expect(outside('redis', filesWith(/\bredis\??\.subscribe\(/)).toSorted()).toEqual(['compose/stores.ts'])
    // The reader's own process gets the pages to extract, from the service alone.
    const receiving = filesWith(/\.(?:on|once|addListener)\('message'/).filter(
      (file) => !/^re(?:dis|ader)\//.test(file),
    )
    expect(receiving.toSorted()).toEqual(['http/health-thread.ts'])
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

  it('hashes with SHA-256, encrypts with AES-256-GCM, derives keys with HKDF, and nothing weaker', () => {
    const hashes = outside('answers', found(/\b(?:createHash|createHmac|hash|hkdfSync)\(\s*'([^']+)'/g))
    expect(hashes.length).toBeGreaterThan(10)
    // Redis identifies scripts by SHA-1; no security depends on it.
    expect(hashes.filter((place) => !place.endsWith(': sha256') && !/^redis\/redis.*: sha1$/.test(place))).toEqual([])
    expect(filesWith(/createCipheriv|createDecipheriv/).map((file) => basename(file))).toEqual(['cryptography.ts'])
    const ciphers = found(/'((?:aes|des|des3|rc[24]|chacha20|blowfish|bf)(?:-[\w-]+)?)'/g)
    expect(ciphers.map((place) => place.split(': ')[1])).toEqual(['aes-256-gcm'])
    expect(
      filesWith(/\b(?:createSign|createVerify|generateKeyPair|publicEncrypt|privateDecrypt|pbkdf2|scrypt)(?:Sync)?\(/),
    ).toEqual([])
  })

  it('takes unguessable values from the system’s random generator', () => {
    // Elsewhere it only adds jitter to retries and refreshes.
    const guarded = /^(?:accounts|keys|audit|site|api|cli|postgres\/instance-secret)\b/
    expect(filesWith(/\bMath\.random\b/).filter((file) => guarded.test(file))).toEqual([])
    expect(found(/randomBytes[^\n]*from '([^']+)'/g).filter((place) => !place.endsWith('node:crypto'))).toEqual([])
  })

  it('never weakens certificate validation', () => {
    expect(
      filesWith(
        /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|minVersion|secureProtocol|ciphers:/,
      ),
    ).toEqual([])
  })
})

describe('logs', () => {
  it('go to standard error through one logger, and nowhere else', () => {
    // An example in the documentation.
    expect(outside('site/docs', filesWith(/\bconsole\./))).toEqual([])
    expect(filesWith(/pino\.destination|from 'pino'/)).toEqual(['log.ts'])
    // Backups.
    expect(outside('store', filesWith(/appendFile|createWriteStream/))).toEqual([])
  })

  it('of security events can be written and pruned, and changed only to take a deleted account out', () => {
    expect(
      outside('audit', filesWith(/(?:insertInto|deleteFrom)\('audit_events'\)|(?:into|delete from) audit_events/)),
    ).toEqual([])
    // A restore replaces the whole database; only the machine's operator can run one.
    const changing = filesWith(/updateTable\('audit_events'\)|update audit_events|\btruncate\b/)
    // What a user did stays without their network when the account is deleted.
    expect(outside('store', changing)).toEqual(['audit/audit-log.ts'])
  })
})

describe('secrets', () => {
  it('have no publicly known default', () => {
    const known = readConfiguration({}).shown.filter(
      ({ env, shown }) => /SECRET|TOKEN|KEY|PASSWORD|_URL$/.test(env) && shown === 'set',
    )
    // Marginalia's public key.
    expect(known.map(({ env }) => env)).toEqual(['MARGINALIA_API_KEY'])
    const required = [...ALL_ENGINES, ...ALL_SOURCES].flatMap(({ settings }) => Object.values(settings))
    const secrets = required.filter(({ isSecret }) => isSecret)
    expect(secrets.filter(({ env }) => !/_(?:API_KEY|PASSWORD)$/.test(env))).toEqual([])
    expect(secrets.filter(({ fallback }) => fallback).map(({ env }) => env)).toEqual(['MARGINALIA_API_KEY'])
  })

  it('are in no file in the repository', () => {
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

describe('runtime packages', () => {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8'),
  )
  const running = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
  )

  it('are all pinned by version and hash', () => {
    expect(running.length).toBeGreaterThan(100)
    expect(running.filter(([, { version, integrity = '' }]) => !version || !integrity.startsWith('sha512-'))).toEqual(
      [],
    )
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      readFileSync(resolve(ROOT, 'server/package.json'), 'utf8'),
    )
    expect(Object.values(dependencies).filter((version) => !/^(?:\d+\.\d+\.\d+|\*|file:.*)$/.test(version))).toEqual([])
  })

  it('run no install scripts', () => {
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

describe('the guards that a walk over every surface protects', () => {
  it.each(GUARDS)('is where support/guards.ts says: $name', ({ file, from }) => {
    expect(readFileSync(join(ROOT, 'server/src', file), 'utf8').split(from)).toHaveLength(2)
  })
})
