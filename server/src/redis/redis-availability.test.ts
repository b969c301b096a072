import { EventEmitter } from 'node:events'
import { type Redis, ReplyError } from 'ioredis'
import { pino } from 'pino'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isUnavailable, lastingRefusalOf, RedisAvailability, reasonOf } from './redis-availability.ts'

const coded = (code: string) => Object.assign(new Error('connect to redis.internal'), { code })

describe('why Redis is unavailable', () => {
  it.each([
    ["READONLY You can't write against a read only replica. script: 1a2b, on @user_script:1.", 'READONLY'],
    ["OOM command not allowed when used memory > 'maxmemory'.", 'OOM'],
    ['LOADING Redis is loading the dataset in memory', 'LOADING'],
    ['MISCONF Redis is configured to save RDB snapshots', 'MISCONF'],
    ['NOREPLICAS Not enough good replicas to write.', 'NOREPLICAS'],
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

describe('the log of an outage', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('of a Redis that comes and goes has one line a minute, and one when it is over', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    const messages: string[] = []
    const log = pino({}, { write: (line: string) => void messages.push(JSON.parse(line).msg) })
    // The part of a client that availability uses.
    const client = Object.assign(new EventEmitter(), { status: 'ready', connect: async () => undefined })
    let isFull = false
    const probe = async () => {
      if (isFull) throw new ReplyError('OOM command not allowed')
    }
    const availability = new RedisAvailability({ client: client as unknown as Redis, probe, log })
    await availability.open()
    const fill = () => {
      isFull = true
      availability.noteRefusal(new ReplyError('OOM command not allowed'), 'bb:{1}:burst')
    }
    const recover = async () => {
      isFull = false
      await vi.advanceTimersByTimeAsync(500)
    }
    for (let times = 0; times < 20; times++) {
      fill()
      await recover()
    }
    const [away, back] = ['Redis is unavailable; using in-process limits and cache', 'Redis is available again']
    expect(messages).toEqual([away, back])
    fill()
    await vi.advanceTimersByTimeAsync(70_000)
    expect(messages.slice(2)).toEqual([away])
    await recover()
    expect(messages.slice(3)).toEqual([back])
    availability.close()
  })
})
