// What the `html` template leaves to its authors, and what the content security policy forbids, over every template of
// the site.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const sources = globSync('**/*.ts', { cwd: import.meta.dirname })
  .filter((file) => !/\.test(?:-\w+)?\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(import.meta.dirname, file), 'utf8') }))

const offenders = (pattern: RegExp): string[] =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map((match) => `${file}: ${match[0]}`))

describe('the templates of the site', () => {
  it('they are found by this test', () => {
    expect(sources.filter(({ text }) => text.includes('html`')).length).toBeGreaterThan(20)
  })

  it('every value of an attribute stands in double quotes', () => {
    expect(offenders(/\s[a-z-]+=(?:\$\{|'\$\{)/g)).toEqual([])
  })

  it('there is no inline script, style or handler', () => {
    expect(offenders(/<style|\sstyle="|\son[a-z]+="|<script(?! type="module" src=)|javascript:/g)).toEqual([])
  })

  it('a POST form is only ever made by postForm, which writes its token', () => {
    expect(offenders(/method="post"/gi).map((found) => found.split(':', 1)[0])).toEqual(['parts/form.ts'])
  })

  it('markup is made by hand only where it is defined, and around what is known to be our own', () => {
    const known = [
      'http/html.ts',
      // The SVG that the QR library draws of an address that we wrote.
      'accounts/second-factor-pages.ts',
      // A page made before, with the escaped URL of this request in it.
      'docs/docs-pages.ts',
    ]
    const makers = offenders(/new Html\(/g).map((found) => found.split(':', 1)[0] ?? '')
    expect(makers.filter((file) => !known.includes(file))).toEqual([])
  })
})
