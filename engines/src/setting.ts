// Declares what a module reads from the environment. A declaration is data: the configuration reads it,
// `bowerbird config` prints it, the documentation lists it. Nothing else touches `process.env`.

export interface Setting<Fallback extends string | undefined = string | undefined> {
  readonly env: string
  readonly isSecret: boolean
  /** `undefined`: required. A provider whose required setting is unset is hidden. */
  readonly fallback: Fallback
  /** The only valid values; left out: any. */
  readonly oneOf?: readonly string[]
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
