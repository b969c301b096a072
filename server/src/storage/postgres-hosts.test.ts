import { describe, expect, it } from 'vitest'
import { readDatabaseUrl, splitHosts } from './postgres-hosts.ts'

describe('the hosts of a database', () => {
  it('are separated by commas, and share everything else', () => {
    expect(splitHosts('postgres://ada:p,w@one:5432,two,[::1]:5433/bower?sslmode=require')).toEqual([
      'postgres://ada:p,w@one:5432/bower?sslmode=require',
      'postgres://ada:p,w@two/bower?sslmode=require',
      'postgres://ada:p,w@[::1]:5433/bower?sslmode=require',
    ])
    expect(splitHosts('postgres://one/bower?options=a,b')).toEqual(['postgres://one/bower?options=a,b'])
  })

  it.each(['postgres://one/bower', 'postgresql://ada@one:5432,two:5433/bower?target_session_attrs=read-write'])(
    '%s is understood',
    (url) => expect(readDatabaseUrl(url)).toBe(url),
  )

  it.each([
    'mysql://one/bower',
    'postgres://',
    'postgres://one,,two/bower',
    'postgres://one:5432,two:no/bower',
    'one,two',
  ])('%s is not', (url) => expect(readDatabaseUrl(url)).toBeUndefined())
})
