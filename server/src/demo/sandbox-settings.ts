// The settings that point an instance at the sandbox instead of the real providers.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { ALL_SOURCES } from '@bowerbird/engines/sources/all.ts'
import { SANDBOX_KEYS } from '@bowerbird/sandbox'

/** One provider per tab, so that it's easy to tell what engine_c answers. */
const SANDBOX_SLOT = 'marginalia images:openverse news:hackernews videos:sepiasearch science:crossref code:codeberg'

/** Points every provider that the sandbox can simulate at the sandbox, with the key that the sandbox accepts. */
export function sandboxSettings(urlOf: (slug: string) => string): Record<string, string> {
  const settings: Record<string, string> = { ENGINE_C: SANDBOX_SLOT }
  for (const provider of [...ALL_ENGINES, ...ALL_SOURCES].filter(({ slug }) => slug in SANDBOX_KEYS)) {
    settings[provider.settings.baseUrl.env] = urlOf(provider.slug)
    for (const [name, { env, isSecret, fallback, oneOf }] of Object.entries(provider.settings)) {
      if (isSecret) settings[env] = SANDBOX_KEYS[provider.slug] ?? ''
      else if (name === 'linkUrl') settings[env] = `https://${provider.slug}.example`
      else if (name !== 'baseUrl' && fallback === undefined) settings[env] = oneOf?.[0] ?? 'sandbox'
    }
  }
  return settings
}
