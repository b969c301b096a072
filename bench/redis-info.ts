// Reads Redis's INFO without being one of its measured clients.
import { execFileSync } from 'node:child_process'

/** Returns the current number under a name. */
export function redisInfo(url: string): (name: string) => number {
  const text = execFileSync('redis-cli', ['-u', url, 'info', 'everything'], { encoding: 'utf8' })
  return (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1])
}
