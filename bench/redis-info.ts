// What a Redis says of itself, read without being one of its measured clients.
import { execFileSync } from 'node:child_process'

/** Gives the number under a name, as of now. */
export function redisInfo(url: string): (name: string) => number {
  const text = execFileSync('redis-cli', ['-u', url, 'info', 'everything'], { encoding: 'utf8' })
  return (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
}
