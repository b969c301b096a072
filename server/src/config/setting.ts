// How a module declares what it reads from the environment. A declaration is data: `environment-reader.ts` reads it,
// `bowerbird config` prints it, the documentation lists it. Nobody else touches `process.env`.

export interface Setting {
  readonly env: string
  readonly isSecret: boolean
  /** `undefined`: required. A provider whose required setting is unset is hidden. */
  readonly fallback: string | undefined
}

export const setting = (env: string, fallback?: string): Setting => ({ env, isSecret: false, fallback })

/** Never printed, never logged: only "set" or "not set" is ever said of it. */
export const secret = (env: string, fallback?: string): Setting => ({ env, isSecret: true, fallback })

/** What a group of declarations becomes once read. */
export type SettingValues<Settings extends Record<string, Setting>> = { readonly [Name in keyof Settings]: string }
