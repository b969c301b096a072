// What a command to Redis can be answered with, apart from an error reply.

export type Reply = number | string | null | Reply[]
export type Value = string | number

/** The server has not answered in time. It may still execute the command. */
export class RedisTimeout extends Error {
  override readonly name = 'RedisTimeout'
}

/** The server has closed the connection. A new one shows why. */
export class RedisClosed extends Error {
  override readonly name = 'RedisClosed'
}

/**
 * No answer came to a call that must run once: it may have run, or may still run, but not after the deadline. A deadline
 * is in microseconds of the server's clock.
 */
export class Unanswered {
  readonly connection: string
  readonly number: number
  readonly deadline: number

  constructor(connection: string, { number, deadline }: NumberedCall) {
    this.connection = connection
    this.number = number
    this.deadline = deadline
  }
}

/** The server has not run the command: another server of the cluster has the key, for good (MOVED) or not yet (ASK). */
export class Redirect {
  readonly error: Error
  readonly isForGood: boolean
  /** `host:port`. */
  readonly address: string

  constructor(error: Error) {
    const [code, , address = ''] = error.message.split(' ')
    this.error = error
    this.isForGood = code === 'MOVED'
    this.address = address
  }
}

export interface NumberedCall {
  number: number
  deadline: number
}
