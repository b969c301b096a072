import { Command } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { RedisCommand } from './redis-command.ts'

describe('a command to Redis', () => {
  it('is written exactly as ioredis would write it', () => {
    const values = ['', 'plain', 'naïve ☃ 𝄞', 'line\r\nbreak', 0, -1, 2.5, 1_763_248_000_123_456]
    const ours = new RedisCommand('EVALSHA', values)
    expect(ours.toWritable()).toBe(new Command('EVALSHA', [...values]).toWritable({} as never))
    expect(ours.args).toEqual([])
  })
})
