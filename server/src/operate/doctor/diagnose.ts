// Runs every check of `bowerbird doctor` and lists the findings, most important first.
import { type Finding, isBroken, isFine } from '../../cli/finding.ts'
import type { ReadConfiguration } from '../../settings/configuration.ts'
import { checkDatabase } from './check-database.ts'
import { checkProviders } from './check-providers.ts'
import { checkRedis } from './check-redis.ts'
import { checkSettings } from './check-settings.ts'

export async function diagnose({ verdict }: Pick<ReadConfiguration, 'verdict'>): Promise<Finding[]> {
  if (!verdict.ok)
    return verdict.mistakes.map(({ env, message }) => isBroken(env, `It ${message}`, 'See docs/operate/configure.md.'))
  const configuration = verdict.value
  const [database, redis, providers] = await Promise.all([
    checkDatabase(configuration),
    checkRedis(configuration),
    checkProviders(configuration),
  ])
  return [isFine('Settings', 'No mistakes.'), ...checkSettings(configuration), ...database, ...redis, ...providers]
}
