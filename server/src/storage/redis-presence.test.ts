import { Writable } from 'node:stream'
import { ReplyError } from 'ioredis'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { watchRedisPresence } from './redis-presence.ts'

function watch() {
  const lines: string[] = []
  const log = pino(
    { base: null, timestamp: false },
    new Writable({ write: (chunk, _encoding, done) => done(void lines.push(String(chunk))) }),
  )
  let now = 1_000
  const presence = watchRedisPresence({ log, clock: () => now })
  const pass = (ms: number) => {
    now += ms
  }
  return {
    ...presence,
    pass,
    told: () => lines.map((line) => JSON.parse(line)).map(({ reason, msg }) => reason ?? msg),
  }
}

const readOnly = new ReplyError("READONLY You can't write against a read only replica.")
const outOfMemory = new ReplyError('OOM command not allowed')

it('says why Redis is unavailable, again once a minute, and once that it is back', () => {
  const { noteAway, noteBack, pass, told } = watch()
  for (let second = 0; second < 150; second += 1) {
    noteAway(readOnly)
    pass(1_000)
  }
  expect(told()).toEqual(['READONLY', 'READONLY', 'READONLY'])
  noteBack()
  noteBack()
  noteAway(outOfMemory)
  expect(told().slice(3)).toEqual(['Redis is available again', 'OOM'])
})

it('says no more than once a minute that a command has failed', () => {
  const { noteFailure, noteBack, pass, told } = watch()
  for (let second = 0; second < 61; second += 1) {
    noteFailure(new ReplyError('WRONGTYPE Operation against a key'))
    pass(1_000)
  }
  noteBack()
  expect(told()).toEqual(['WRONGTYPE', 'WRONGTYPE'])
})
