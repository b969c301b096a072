// Settings that are about privacy: who gets suggestions on the website, whether the icons of sites are fetched, the names
// that clients may use, and whether a key may stand in a URL.
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { mapped, type Reading, together } from '../config/reading.ts'
import { setting } from '../config/setting.ts'
import type { SuggestionsFor } from '../site/site-services.ts'

export interface SiteConfiguration {
  /** Whom the website offers suggestions while they type. */
  suggestionsFor: SuggestionsFor
  /** Whether results on the website show the icons of their sites, fetched by this server. */
  showsIcons: boolean
  /** The names that clients may use, on the website and in the API; undefined: any. */
  allowedHosts: string[] | undefined
  /** Whether keys that are marked for it may be sent as a part of a URL. */
  arePathKeysOn: boolean
}

export const readSiteConfiguration = (reader: EnvironmentReader): Reading<SiteConfiguration> =>
  together<SiteConfiguration>({
    suggestionsFor: reader.choice(setting('SITE_SUGGESTIONS', 'accounts'), ['accounts', 'all', 'off']),
    showsIcons: mapped(reader.choice(setting('RESULT_ICONS', 'off'), ['on', 'off']), (icons) => icons === 'on'),
    allowedHosts: readAllowedHosts(reader),
    arePathKeysOn: mapped(reader.choice(setting('DOOR_PATH_KEYS', 'off'), ['on', 'off']), (keys) => keys === 'on'),
  })

function readAllowedHosts(reader: EnvironmentReader): Reading<string[] | undefined> {
  const read = (text: string) => {
    const hosts = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean)
    return hosts.every((host) => /^[a-z\d_.-]{1,253}$/.test(host)) ? hosts : undefined
  }
  return reader.parsed(setting('ALLOWED_HOSTS'), read, 'must be host names without a port, such as search.example.org.')
}
