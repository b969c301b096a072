// What the command line needs from the rest of the program. `operate/` provides it; tests provide their own.
import type { Readable, Writable } from 'node:stream'
import type { Mistake } from '../config/environment.ts'
import type { ShownSetting } from '../config/setting-types.ts'
import type { CatalogueEntry } from '../search/engine-catalogue.ts'
import type { TrialReport } from '../search/try-engine.ts'
import type { SettingsContext } from '../settings/stored-settings.ts'
import type { Health } from './health.ts'

export interface CliHost {
  /** Runs work on the instance's data: names the data on standard error, and acts as the owner of its folder. */
  onData: <Result>(work: () => Promise<Result>) => Promise<Result>
  /**
   * The migrated database and the change bus, inside `onData`. Throws DataFolderInUse if a running instance owns the
   * data folder. Refuses a folder without a database unless it `mayCreate` one.
   */
  openAccess: (options?: { mayCreate: boolean }) => Promise<{ access: SettingsContext; close: () => Promise<void> }>
  dataFolder: string
  /** Who runs the command, as `system-user.ts` writes it. */
  systemUser: string
  /** Resolves when the server has stopped. */
  serve: () => Promise<void>
  demo: (options: DemoOptions) => Promise<void>
  /** Returns the names of the steps that ran. */
  migrate: () => Promise<string[]>
  /** With these settings from the database, as is the next. */
  describeConfiguration: (stored: StoredValues) => ConfigurationReport
  listEngines: (stored: StoredValues) => CatalogueEntry[]
  /** The engine of a document in a file, or what is wrong with it: sentences that begin with the file and the line. */
  checkEngineFile: (path: string) => { ok: true; engine: CheckedEngine } | { ok: false; mistakes: string[] }
  /** Refuses an engine that is unknown, lacks a setting, or doesn't serve the tab. */
  tryEngine: (trial: EngineTrial, stored: StoredValues) => Promise<TrialReport>
  /**
   * Encrypts everything in the database with another secret: the given one, which becomes INSTANCE_SECRET, or a new one
   * that the database keeps. Throws DataFolderInUse while an instance runs on the data folder.
   */
  rotateSecret: (given: string | undefined) => Promise<void>
  /** Asks the instance that runs on this machine whether it is ready. */
  checkHealth: () => Promise<Health>
  /** Checks everything that the instance depends on. */
  diagnose: (stored: StoredValues) => Promise<Finding[]>
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable
  /** The URL at which clients reach the instance, if known: a new key then comes with a command to try it. */
  publicUrl?: string | undefined
  version?: string | undefined
  /**
   * How long a command waits for a data folder that another process holds without listening for commands; 10 s by
   * default.
   */
  patienceMs?: number | undefined
}

/** By name. Secrets may be replaced by any text where they are only shown as set. */
export type StoredValues = Readonly<Record<string, string>>

/** One finding of `bowerbird doctor`. */
export interface Finding {
  /** What was checked: a part of the instance or a setting. */
  about: string
  state: 'ok' | 'warning' | 'broken' | 'not tried'
  /** A sentence without addresses, keys or anything else that is secret. */
  detail: string
  /** What to do about it. */
  advice: string | null
}

/** What a document would make of an instance. */
export interface CheckedEngine {
  slug: string
  name: string
  tabs: string[]
  isPrivate: boolean
  /** Where its calls go; '': where the setting of its address says. */
  address: string
  settings: { env: string; isSecret: boolean; isRequired: boolean }[]
}

export interface EngineTrial {
  /** A slug, or the path of a file with a document. */
  engine: string
  text: string
  /** undefined: the engine's first tab. */
  tab: string | undefined
  lang: string
  region: string | undefined
  safe: boolean
  /** Records a call that costs this much, before it is made; not called if it is free. */
  count: (slug: string, micros: number) => Promise<void>
}

export interface DemoOptions {
  host: string
  port: number
  json: boolean
  /** An engine to query besides the usual ones. */
  engine?: string
}

/** What is on, what is hidden, and why. */
export interface ConfigurationReport {
  settings: ShownSetting[]
  mistakes: Mistake[]
  slots: SlotReport[]
  sources: SourceReport[]
  /** In plain words, without URLs that may contain a password. */
  storage: { database: string; shared: string }
}

interface SlotReport {
  name: string
  providers: ProviderReport[]
}

/** Whether a provider is usable, and if not, what it needs. */
export interface ProviderState {
  state: 'on' | 'hidden' | 'off'
  /** The settings that would turn a hidden provider on. */
  missing: string[]
}

export interface ProviderReport extends ProviderState {
  slug: string
  name: string
  tabs: string[]
  /** A company that receives queries without a contract. */
  hasNoContract: boolean
}

export interface SourceReport extends ProviderState {
  slug: string
  name: string
  /** What it is for: maps, translate, … */
  group: string
  /** Another setting that would turn it on, in place of the missing ones. */
  instead: string | null
}
