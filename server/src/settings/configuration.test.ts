import { expect, it } from 'vitest'
import { readConfiguration } from './configuration.ts'

const mistakesOf = (DATABASE_URL: string) => {
  const { verdict } = readConfiguration({ DATABASE_URL })
  return verdict.ok ? [] : verdict.mistakes.map(({ env, message }) => `${env} ${message}`)
}

it.each([
  'postgres://one/bower',
  'postgresql://ada:p,w@one:5432/bower?sslmode=require',
  'postgres://[::1]:5433/bower/',
])('%s is an address of PostgreSQL', (url) => expect(mistakesOf(url)).toEqual([]))

it.each(['mysql://one/bower', 'postgres://', 'one', 'postgres://one,two/bower', 'postgres://one:5432,two:5433/bower'])(
  '%s is not, and the mistake says what to do with several hosts',
  (url) =>
    expect(mistakesOf(url)).toEqual([expect.stringMatching(/^DATABASE_URL must be a URL of one host.*PgBouncer/)]),
)
