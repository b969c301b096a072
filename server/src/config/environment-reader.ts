// Reads settings from the environment, each into a verdict of its own (`reading.ts`). What was read is remembered: it is
// what `bowerbird config` prints, mistakes or not.
//
// Any setting may come from a file instead, as containers and systemd hand secrets over: BRAVE_API_KEY_FILE names the
// file with the BRAVE_API_KEY. Only files of settings that we have are read, because other programs' variables end in
// _FILE too.
import { readFileSync } from 'node:fs'
import { type Mistake, mistaken, type Reading, understood } from './reading.ts'
import type { Setting, SettingValues } from './setting.ts'

/** One setting as it may be shown: a secret is only ever 'set' or 'not set'. */
export interface ShownSetting {
  env: string
  shown: string
  isDefault: boolean
}

/** A setting without a fallback may be unset; one with a fallback always says something. */
type Read<Value, Fallback> = Value | Exclude<Fallback, string>

export class EnvironmentReader {
  readonly shown: ShownSetting[] = []
  /** About files of settings. */
  readonly mistakes: Mistake[] = []
  readonly #env: NodeJS.ProcessEnv
  readonly #fromFiles = new Map<string, string | undefined>()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** White space around a value, and an empty value, count as not set: `FOO=` in an env file is how people unset. */
  text<Fallback extends string | undefined>(setting: Setting<Fallback>): string | Fallback {
    const written = this.#written(setting.env)
    const value: string | Fallback = written ?? setting.fallback
    const shown = setting.isSecret ? (value ? 'set' : 'not set') : (value ?? 'not set')
    // An engine and a data source of the same provider share settings.
    if (!this.shown.some(({ env }) => env === setting.env)) {
      this.shown.push({ env: setting.env, shown, isDefault: written === undefined })
    }
    return value
  }

  isWritten(env: string): boolean {
    return this.#written(env) !== undefined
  }

  /** The names that are set and match, in order: for families such as ENGINE_A, ENGINE_B. */
  namesLike(pattern: RegExp): string[] {
    const names = new Set(Object.keys(this.#env).map((name) => name.replace(/_FILE$/, '')))
    return [...names].filter((name) => pattern.test(name) && this.isWritten(name)).sort()
  }

  /** A value that only the caller can judge: `read` gives undefined for a wrong one. */
  parsed<Value, Fallback extends string | undefined>(
    setting: Setting<Fallback>,
    read: (text: string) => Value | undefined,
    message: string,
  ): Reading<Read<Value, Fallback>> {
    const text = this.text(setting)
    // It is the fallback then, and no text: what `Exclude` says of it, which the type checker does not see.
    if (text === undefined) return understood(text as Exclude<Fallback, string>)
    const value = read(text)
    return value === undefined ? mistaken(setting.env, message) : understood(value)
  }

  integer<Fallback extends string | undefined>(
    setting: Setting<Fallback>,
    { min, max }: { min: number; max: number },
  ): Reading<Read<number, Fallback>> {
    const read = (text: string) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= min && value <= max ? value : undefined
    }
    return this.parsed(setting, read, `must be a whole number from ${min} to ${max}.`)
  }

  choice<Option extends string, Fallback extends string | undefined>(
    setting: Setting<Fallback>,
    options: readonly Option[],
  ): Reading<Read<Option, Fallback>> {
    const read = (text: string) => options.find((option) => option === text)
    return this.parsed(setting, read, `must be one of ${options.join(', ')}.`)
  }

  /** An address of one of these schemes, without a trailing slash. */
  address<Fallback extends string | undefined>(
    setting: Setting<Fallback>,
    schemes: readonly string[] = ['http', 'https'],
  ): Reading<Read<string, Fallback>> {
    const read = (text: string) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      const isAddress = url && schemes.includes(url.protocol.slice(0, -1)) && url.hostname
      return isAddress ? text.replace(/\/+$/, '') : undefined
    }
    const beginnings = schemes.map((scheme) => `${scheme}://`).join(' or ')
    return this.parsed(setting, read, `must be a URL that starts with ${beginnings}.`)
  }

  /** All values of a group, or the names of those that are missing; `instead` is for settings that are not set. */
  group<Settings extends Record<string, Setting>>(
    settings: Settings,
    instead: Partial<SettingValues<Settings>> = {},
  ): { ok: true; values: SettingValues<Settings> } | { ok: false; missing: string[] } {
    const missing: string[] = []
    const values: Partial<Record<keyof Settings, string>> = {}
    for (const name of Object.keys(settings) as (keyof Settings & string)[]) {
      const setting: Setting | undefined = settings[name]
      if (!setting) continue
      const value = this.text(setting) ?? instead[name]
      if (value === undefined) missing.push(setting.env)
      else values[name] = value
    }
    // Nothing is missing, so every name of the group has been given a value just above.
    return missing.length > 0 ? { ok: false, missing } : { ok: true, values: values as SettingValues<Settings> }
  }

  #written(env: string): string | undefined {
    const direct = this.#env[env]?.trim() || undefined
    const path = this.#env[`${env}_FILE`]?.trim()
    if (!path) return direct
    if (!this.#fromFiles.has(env)) this.#fromFiles.set(env, this.#readFile(env, path))
    if (direct !== undefined) this.#mistake(`${env}_FILE`, `is set, and so is ${env}. Remove one of the two.`)
    return direct ?? this.#fromFiles.get(env)
  }

  /** Nothing of a file's content is ever part of a message. */
  #readFile(env: string, path: string): string | undefined {
    try {
      return readFileSync(path, 'utf8').trim() || undefined
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
      this.#mistake(`${env}_FILE`, `names a file that cannot be read${code}.`)
      return undefined
    }
  }

  #mistake(env: string, message: string): void {
    if (!this.mistakes.some((mistake) => mistake.env === env)) this.mistakes.push({ env, message })
  }
}
