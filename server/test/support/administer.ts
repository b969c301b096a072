// Sends a command to a running instance in a folder as the command line does, without starting a process.
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect } from 'vitest'

interface Reply {
  name: string
  key: string
  items: { name: string; username: string }[]
  next: string | null
}

export async function administer(folder: string, operation: string, args: object): Promise<Reply> {
  const body = JSON.stringify(args)
  const asked = request({
    socketPath: join(folder, 'administration.sock'),
    method: 'POST',
    path: `/${operation}`,
    agent: false,
    headers: { 'Content-Length': Buffer.byteLength(body) },
  })
  asked.end(body)
  const [response] = await once(asked, 'response')
  const reply = await json(response)
  expect(response.statusCode).toBe(200)
  return reply as Reply
}

export const createUser = (folder: string, username: string): Promise<Reply> =>
  administer(folder, 'user-create', { username, password: 'correct horse battery', is_admin: false })
