// Reads settings from the environment and remembers everything that is wrong with them, so that an operator sees every
// mistake at once and not one a start. What was read is remembered too: it is what `bowerbird config` prints.
import type { Setting, SettingValues } from './setting.ts'

export interface Mistake {
  env: string
  /** A sentence that says what to write instead. */
  message: string
}

/** One setting as it may be shown: a secret is only ever 'set' or 'not set'. */
export interface ShownSetting {
  env: string
  shown: string
  isDefault: boolean
}

export class EnvironmentReader {
  readonly mistakes: Mistake[] = []
  readonly shown: ShownSetting[] = []
  readonly #env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  /** White space around a value, and an empty value, count as not set: `FOO=` in an env file is how people unset. */
  text(setting: Setting): string | undefined {
    const written = this.#env[setting.env]?.trim() || undefined
    const value = written ?? setting.fallback
    const shown = setting.isSecret ? (value ? 'set' : 'not set') : (value ?? 'not set')
    // An engine and a data source of one provider share its settings.
    if (!this.shown.some(({ env }) => env === setting.env)) {
      this.shown.push({ env: setting.env, shown, isDefault: written === undefined })
    }
    return value
  }

  isWritten(env: string): boolean {
    return Boolean(this.#env[env]?.trim())
  }

  /** Names that are set and begin like this, in order: for families such as ENGINE_A, ENGINE_B. */
  namesLike(pattern: RegExp): string[] {
    return Object.keys(this.#env)
      .filter((name) => pattern.test(name) && this.isWritten(name))
      .sort()
  }

  integer(setting: Setting, range: { min: number; max: number }): number | undefined {
    const text = this.text(setting)
    if (text === undefined) return undefined
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (value >= range.min && value <= range.max) return value
    this.mistake(setting.env, `must be a whole number from ${range.min} to ${range.max}.`)
    return undefined
  }

  choice<Option extends string>(setting: Setting, options: readonly Option[]): Option | undefined {
    const text = this.text(setting)
    const option = options.find((candidate) => candidate === text)
    if (text !== undefined && option === undefined) this.mistake(setting.env, `must be one of ${options.join(', ')}.`)
    return option
  }

  /** An address of one of these schemes, without a trailing slash. */
  address(setting: Setting, schemes: readonly string[] = ['http', 'https']): string | undefined {
    const text = this.text(setting)
    if (text === undefined) return undefined
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url && schemes.includes(url.protocol.slice(0, -1)) && url.hostname) return text.replace(/\/+$/, '')
    this.mistake(
      setting.env,
      `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}.`,
    )
    return undefined
  }

  /** A value that only the caller can judge: `read` gives undefined for a wrong one. */
  parsed<T>(setting: Setting, read: (text: string) => T | undefined, message: string): T | undefined {
    const text = this.text(setting)
    if (text === undefined) return undefined
    const value = read(text)
    if (value === undefined) this.mistake(setting.env, message)
    return value
  }

  /** All values of a group, or the names of those that are missing. */
  group<Settings extends Record<string, Setting>>(
    settings: Settings,
  ): { values: SettingValues<Settings>; missing: string[] } {
    const missing: string[] = []
    const values: Record<string, string> = {}
    for (const [name, setting] of Object.entries(settings)) {
      const value = this.text(setting)
      if (value === undefined) missing.push(setting.env)
      values[name] = value ?? ''
    }
    // Every name of the group has been given a value just above.
    return { values: values as SettingValues<Settings>, missing }
  }

  mistake(env: string, message: string): void {
    this.mistakes.push({ env, message })
  }
}
