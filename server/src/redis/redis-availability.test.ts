import { ReplyError } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { isUnavailable, lastingRefusalOf, reasonOf } from './redis-availability.ts'

const coded = (code: string) => Object.assign(new Error('connect to redis.internal'), { code })

describe('why Redis is unavailable', () => {
  it.each([
    ["READONLY You can't write against a read only replica. script: 1a2b, on @user_script:1.", 'READONLY'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ['LOADING Redis is loading the dataset in memory', 'LOADING'],
    ['MISCONF Redis is configured to save RDB snapshots', 'MISCONF'],
    ['NOAUTH Authentication required.', 'NOAUTH'],
    ['WRONGPASS invalid username-password pair or user is disabled.', 'WRONGPASS'],
    ['ERR Error running script (call to f_1a2b): @user_script:1: -READONLY You can not write', 'READONLY'],
  ])('%s', (message, word) => {
    const error = new ReplyError(message)
    expect(reasonOf(error)).toBe(word)
    expect(isUnavailable(error)).toBe(true)
  })

  it.each([
    ['WRONGTYPE Operation against a key holding the wrong kind of value', 'WRONGTYPE'],
    ['NOPERM this user has no permissions', 'NOPERM'],
    ['ERR unknown command', 'ERR'],
    ['MOVED 866 127.0.0.1:7001', 'MOVED'],
  ])('%s concerns one command', (message, word) => {
    expect(reasonOf(new ReplyError(message))).toBe(word)
    expect(isUnavailable(new ReplyError(message))).toBe(false)
  })

  it("is never reported in words that we don't know", () => {
    expect(reasonOf(new ReplyError('HUNTER2 is the password'))).toBe('refused')
    expect(reasonOf(new Error('no answer from redis.internal'))).toBe('closed')
    expect(reasonOf(coded('ECONNREFUSED'))).toBe('ECONNREFUSED')
    expect(reasonOf(coded('the secret'))).toBe('closed')
    expect(reasonOf(new Error('Command timed out'))).toBe('timeout')
    expect(reasonOf('something')).toBe('unknown')
  })

  it.each([
    [new ReplyError('WRONGPASS invalid username-password pair'), 'WRONGPASS'],
    [new ReplyError('NOAUTH Authentication required.'), 'NOAUTH'],
    [new ReplyError('MOVED 866 127.0.0.1:7001'), 'MOVED'],
    [new ReplyError('ERR This instance has cluster support disabled'), 'STANDALONE'],
    [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'SELF_SIGNED_CERT_IN_CHAIN'],
    [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'],
    [coded('ECONNREFUSED'), undefined],
    [new ReplyError('LOADING Redis is loading the dataset in memory'), undefined],
    [new Error('Command timed out'), undefined],
    [undefined, undefined],
  ])('%s lasts until somebody changes something: %s', (error, reason) => {
    expect(lastingRefusalOf(error)).toBe(reason)
  })
})
