import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseAccent, parseLinks, parseText } from './appearance.ts'
import { readConfiguration, requireConfiguration } from './configuration.ts'

const MARK = new URL('../site/assets/mark.png', import.meta.url)

const appearanceWith = (env: Record<string, string>) => requireConfiguration(readConfiguration(env)).appearance
const mistakesWith = (env: Record<string, string>) => {
  const { verdict } = readConfiguration(env)
  return verdict.ok ? [] : verdict.mistakes.map(({ env: name, message }) => `${name} ${message}`)
}

describe('the settings of an instance of one’s own', () => {
  it('are none by default', () => {
    expect(appearanceWith({})).toEqual({
      logo: undefined,
      accent: undefined,
      welcome: '',
      links: [],
      imprint: [],
      privacy: [],
    })
  })

  it('take files, texts as they are and pictures by their bytes', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bowerbird-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const imprint = join(folder, 'imprint.md')
    writeFileSync(imprint, '# Imprint\r\n\r\nOur club\r\n')
    const { logo, imprint: text } = appearanceWith({
      INSTANCE_LOGO_FILE: MARK.pathname,
      INSTANCE_IMPRINT_FILE: imprint,
    })
    expect(logo).toMatchObject({ contentType: 'image/png', size: { width: 64, height: 64 } })
    expect(logo?.bytes.equals(readFileSync(MARK))).toBe(true)
    expect(text).toEqual([{ lang: '', text: '# Imprint\n\nOur club' }])
  })

  it('say what is wrong with a value, without quoting it', () => {
    expect(
      mistakesWith({
        INSTANCE_LOGO: '/etc/secret',
        INSTANCE_ACCENT: 'red;}body{',
        INSTANCE_WELCOME: 'x'.repeat(201),
        INSTANCE_LINKS: 'Evil javascript:alert(1)',
        INSTANCE_IMPRINT: 'a\u0000b',
      }),
    ).toEqual([
      expect.stringMatching(/^INSTANCE_LOGO must be a PNG, WebP or SVG/),
      'INSTANCE_ACCENT must be a colour such as #1f47c4.',
      'INSTANCE_WELCOME must be one line of at most 200 characters.',
      expect.stringMatching(/^INSTANCE_LINKS must be at most 5 links/),
      expect.stringMatching(/^INSTANCE_IMPRINT must be at most 20000 characters/),
    ])
  })

  it('are listed without what is too long for a list', () => {
    const { shown } = readConfiguration({ INSTANCE_IMPRINT: 'one\ntwo', INSTANCE_WELCOME: 'Hello' })
    const shownOf = (name: string) => shown.find(({ env }) => env === name)?.shown
    expect(['INSTANCE_IMPRINT', 'INSTANCE_PRIVACY', 'INSTANCE_WELCOME'].map(shownOf)).toEqual([
      'set',
      'not set',
      'Hello',
    ])
  })
})

it.each([
  ['#1F47c4', '1f47c4'],
  ['1f47c4', '1f47c4'],
  ['#1aF', '11aaff'],
  ['', undefined],
  ['#12345', undefined],
  ['blue', undefined],
  ['#1f47c4;', undefined],
  ['#1f47c4}*{color:red', undefined],
])('the colour %j is %j', (text, expected) => {
  expect(parseAccent(text)).toBe(expected)
})

describe('links in the footer', () => {
  it('are names and https addresses', () => {
    expect(parseLinks('Our club https://club.example.org/ | Donate https://example.org/give?a=1')).toEqual([
      { name: 'Our club', address: 'https://club.example.org/' },
      { name: 'Donate', address: 'https://example.org/give?a=1' },
    ])
    expect(parseLinks('One https://a.example\r\nTwo https://b.example\n')).toHaveLength(2)
  })

  it.each([
    'Evil javascript:alert(1)',
    'Evil JaVaScRiPt:alert(1)',
    'Evil data:text/html,x',
    'Plain http://example.org/',
    'Login https://user:password@example.org/',
    'Two\\hosts https://good.example\\@evil.example/',
    'https://nameless.example/',
    `${'x'.repeat(41)} https://long.example/`,
    'Relative /admin',
    'Quote https://a.example/"onclick="x | Tab\u0007 https://b.example',
    Array.from({ length: 6 }, (_, at) => `Link https://example.org/${at}`).join('|'),
  ])('are refused: %j', (text) => {
    expect(parseLinks(text)).toBeUndefined()
  })
})

describe('a text of the operator’s', () => {
  it('has a version for each language that is named on a line of its own', () => {
    expect(parseText('For all\n\n[de]\nImpressum\n[pt-BR] \nAviso\n[fr]\n\n')).toEqual([
      { lang: '', text: 'For all' },
      { lang: 'de', text: 'Impressum' },
      { lang: 'pt-BR', text: 'Aviso' },
    ])
    expect(parseText('[en]\nA [de] within a line')).toEqual([{ lang: 'en', text: 'A [de] within a line' }])
    expect(parseText('[note]\n[de-abcd-abcd]\n[x-]')).toEqual([{ lang: '', text: '[note]\n[de-abcd-abcd]\n[x-]' }])
  })

  it('has 20,000 characters at most', () => {
    expect(parseText('x'.repeat(20_000))).toHaveLength(1)
    expect(parseText('x'.repeat(20_001))).toBeUndefined()
  })
})
