// Declares what a module reads from the environment. A declaration is data: the configuration reads it,
// `bowerbird config` prints it, the documentation lists it. Nothing else touches `process.env`.
import type { WrittenSettings } from './environment.ts'

export interface Setting<Fallback extends string | undefined = string | undefined> {
  readonly env: string
  readonly isSecret: boolean
  /** `undefined`: required. A provider whose required setting is unset is hidden. */
  readonly fallback: Fallback
}

export function setting(env: string): Setting<undefined>
export function setting<Fallback extends string | undefined>(env: string, fallback: Fallback): Setting<Fallback>
export function setting(env: string, fallback?: string): Setting {
  return { env, isSecret: false, fallback }
}

/** Never printed or logged: only "set" or "not set" is shown. */
export function secret(env: string): Setting<undefined>
export function secret(env: string, fallback: string): Setting<string>
export function secret(env: string, fallback?: string): Setting {
  return { env, isSecret: true, fallback }
}

/** The values of a group of declarations. */
export type SettingValues<Settings extends Record<string, Setting>> = { readonly [Name in keyof Settings]: string }

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
