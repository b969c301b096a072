// What is wrong with settings that a file in deploy/ has: names that don't exist, and values that would prevent a start.
import { readConfiguration } from '../../src/settings/configuration.ts'

/** Settings of Node.js, of the C library or of a platform. */
const NOT_OURS = new Set(['NODE_ENV', 'PATH', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_'])

export function mistakesInSettings(settings: Record<string, string>): string[] {
  const ours = Object.fromEntries(Object.entries(settings).filter(([name]) => !NOT_OURS.has(name)))
  const { shown, verdict } = readConfiguration(ours)
  const unknown = Object.keys(ours).filter((name) => !shown.some(({ env }) => env === name.replace(/_FILE$/, '')))
  return [
    ...unknown.map((name) => `${name} is not a setting`),
    ...(verdict.ok ? [] : verdict.mistakes.map(({ env, message }) => `${env} ${message}`)),
  ]
}
