import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../errors.ts'
import { NoDatabase } from '../store/data-folder.ts'
import { describeData, explainNoDatabase } from './instance-data.ts'

describe('the data that a command acts on', () => {
  it.each([
    [undefined, `Data: ${resolve('./data')} (built-in database)`],
    ['postgres://bowerbird:hunter2@db/bowerbird?sslmode=require', 'Data: PostgreSQL bowerbird@db:5432/bowerbird'],
    ['postgresql://db:6432', 'Data: PostgreSQL db:6432'],
  ])('%s: %s', (databaseUrl, line) => {
    expect(describeData({ databaseUrl, dataFolder: './data' })).toBe(line)
  })

  it.each([
    [false, 'the default, because DATA_DIR is not set'],
    [true, 'set by DATA_DIR'],
  ])('is missing, and where its folder comes from', (isSet, origin) => {
    const refused = explainNoDatabase(new NoDatabase('./data'), isSet)
    expect(refused instanceof Refusal && refused.body['detail']).toBe(
      `There is no database in ${resolve('./data')} (${origin}). Set DATA_DIR to the data folder of your instance, or start a new one with bowerbird serve, which creates it.`,
    )
  })

  it('other errors are passed on', () => {
    const error = new Error('other')
    expect(explainNoDatabase(error, true)).toBe(error)
  })
})
