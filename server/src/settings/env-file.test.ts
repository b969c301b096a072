import { parseEnv } from 'node:util'
import { expect, it } from 'vitest'
import { envFileOf } from './env-file.ts'

it('quotes what needs it, and names what is not shown', () => {
  const contact = "ops@example.org # we're here"
  const file = envFileOf({ OPERATOR_CONTACT: contact, MINE: 'links' }, ['BRAVE_API_KEY'])
  expect(parseEnv(file)).toEqual({ OPERATOR_CONTACT: contact, MINE: 'links' })
  expect(file).toContain('# BRAVE_API_KEY is set, not shown\n')
})

it('has documents of engines as comments, each with its file', () => {
  const document = { bowerbird: 1, extends: 'karakeep', slug: 'links', name: 'Links' }
  const file = envFileOf({ ENGINE_DOCUMENT_LINKS: JSON.stringify(document, null, 2), MINE: 'links' }, [])
  expect(parseEnv(file)).toEqual({ MINE: 'links' })
  const [, text = ''] = /^# ENGINE_DOCUMENT_LINKS: .* links\.json.*\n# (.*)$/m.exec(file) ?? []
  expect(JSON.parse(text)).toEqual(document)
})
