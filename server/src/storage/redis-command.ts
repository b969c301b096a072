// A command as ioredis sends it, but written down here: ioredis copies, checks and converts every argument, which takes
// longer than all the rest of a call. An error reply quotes no arguments either.
import { Command } from 'ioredis'
import type { Value } from './redis-answer.ts'

const TEXT = { replyEncoding: 'utf8' } as const

export class RedisCommand extends Command {
  readonly #text: string

  constructor(name: string, values: readonly Value[]) {
    super(name, [], TEXT)
    this.#text = textOf(name, values)
  }

  override toWritable(): string {
    return this.#text
  }
}

function textOf(name: string, values: readonly Value[]): string {
  let text = `*${values.length + 1}\r\n$${name.length}\r\n${name}\r\n`
  for (const value of values) {
    if (typeof value === 'string') text += `$${Buffer.byteLength(value)}\r\n${value}\r\n`
    else {
      const digits = String(value)
      text += `$${digits.length}\r\n${digits}\r\n`
    }
  }
  return text
}
