import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import { describe, expect, it } from 'vitest'
import { describeError } from './log.ts'

const coded = (message: string, code: string, name = 'error') => Object.assign(new Error(message), { code, name })
const replied = (message: string) => Object.assign(new Error(message), { name: 'ReplyError' })
const causeOf = (cause: unknown) => describeError(new Error('could not roll up usage; will retry', { cause })).cause

describe('an error in the log', () => {
  it('has our own message, and the stack', () => {
    const described = describeError(new Error('could not roll up usage; will retry'))
    expect(described).toMatchObject({ type: 'Error', message: 'could not roll up usage; will retry' })
    expect(described.stack).toMatch(/^could not roll up usage; will retry\n {4}at .*log\.test\.ts/)
    expect(describeError(new UpstreamError('timeout', 'no response by the deadline')).message).toBe(
      'no response by the deadline',
    )
  })

  it.each([
    [coded('permission denied for table usage_daily', '42501'), 'permission denied for table usage_daily', '42501'],
    [coded('relation "sessions" does not exist', '42P01'), 'relation "sessions" does not exist', '42P01'],
    [
      coded('cannot execute INSERT in a read-only transaction', '25006'),
      'cannot execute INSERT in a read-only transaction',
      '25006',
    ],
    [
      coded('password authentication failed for user "ada"', '28P01'),
      'password authentication failed for user',
      '28P01',
    ],
    [coded('prepared statement "find-key" already exists', '42P05'), 'prepared statement', '42P05'],
    [coded('connect ECONNREFUSED 10.1.2.3:5432', 'ECONNREFUSED', 'Error'), 'connect ECONNREFUSED', 'ECONNREFUSED'],
    [coded('getaddrinfo ENOTFOUND db.internal', 'ENOTFOUND', 'Error'), 'getaddrinfo ENOTFOUND', 'ENOTFOUND'],
    [replied("READONLY You can't write against a read only replica."), 'READONLY', undefined],
    [replied('WRONGPASS invalid username-password pair'), 'WRONGPASS', undefined],
    [new Error('Query read timeout'), 'Query read timeout', undefined],
  ])('keeps what is known to be safe of a cause: %s', (cause, message, code) => {
    expect(causeOf(cause)).toEqual({ type: cause.name, ...(code && { code }), message })
  })

  it('tells why a connection failed at every address, and why a connection was closed', () => {
    const everywhere = new AggregateError([coded('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED', 'Error')], '')
    expect(causeOf(everywhere)?.cause).toEqual({
      type: 'Error',
      code: 'ECONNREFUSED',
      message: 'connect ECONNREFUSED',
    })
    const rejected = new Error('Connection is closed.', { cause: replied('NOAUTH Authentication required.') })
    expect(causeOf(rejected)).toMatchObject({ message: 'Connection is closed.', cause: { message: 'NOAUTH' } })
  })

  const SECRETS = /secret query|hunter2|bowerbird_|example\.org|10\.1\.2\.3|ada@/

  it.each([
    coded('invalid input syntax for type bigint: "secret query"', '22P02'),
    coded('permission denied for table "secret query hunter2"', '42501'),
    coded('duplicate key value violates unique constraint "users" Key (name)=(ada@example.org)', '23505'),
    coded('connect ETIMEDOUT postgres://ada:hunter2@10.1.2.3', 'hunter2 is no code', 'Error'),
    replied('HUNTER2 hunter2'),
    replied('ERR wrong value "bowerbird_abc.hunter2"'),
    replied('MOVED 866 10.1.2.3:7001'),
    Object.assign(new Error('terminating connection due to hunter2@example.org'), {
      name: 'secret query',
      code: '57P01',
    }),
    new SyntaxError('Unexpected token \'s\', "secret query" is not valid JSON'),
    new TypeError('no such thing\n    at secret query'),
    new TypeError('fetch failed: https://example.org/?q=secret+query'),
    new Error('getaddrinfo hunter2', { cause: new Error('hunter2', { cause: new Error('hunter2') }) }),
    new AggregateError([new Error('hunter2')], 'hunter2'),
  ])('never repeats what may have been quoted: %s', (hostile) => {
    expect(JSON.stringify(causeOf(hostile))).not.toMatch(SECRETS)
    // Nor does one that nobody has wrapped, unless it is ours.
    if (hostile.name !== 'Error' || 'code' in hostile)
      expect(JSON.stringify(describeError(hostile))).not.toMatch(SECRETS)
  })

  it("is only its type if it isn't an Error", () => {
    expect(describeError('hunter2')).toEqual({ type: 'string' })
    expect(causeOf({ password: 'hunter2' })).toEqual({ type: 'object' })
  })
})
