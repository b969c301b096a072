// Shows a setting to the operator, without secrets.
import type { Setting } from '@bowerbird/engines/setting.ts'
import type { WrittenSettings } from './environment.ts'

/** A setting as it's shown to the operator, without secrets. */
export interface ShownSetting {
  env: string
  shown: string
  isDefault: boolean
}

export function showSetting({ values }: WrittenSettings, { env, isSecret, fallback }: Setting): ShownSetting {
  const value = values[env] ?? fallback
  const shown = isSecret ? (value ? 'set' : 'not set') : (value ?? 'not set')
  return { env, shown, isDefault: values[env] === undefined }
}
