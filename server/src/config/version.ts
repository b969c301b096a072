// The version of this program. It stands once, in `server/package.json`.
import manifest from '../../package.json' with { type: 'json' }

export const VERSION = manifest.version
