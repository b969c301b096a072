// What the command line needs from the program around it. The root builds it; a test builds its own.
import type { Readable, Writable } from 'node:stream'
import type { AccessContext } from '../access/access-context.ts'
import type { Mistake, ShownSetting } from '../config/environment-reader.ts'

export interface CliHost {
  /** The database (migrated) and the change bus. Throws DataFolderInUse when a running instance owns the data folder. */
  openAccess: () => Promise<{ access: AccessContext; close: () => Promise<void> }>
  dataFolder: string
  /** Resolves when the server has stopped. */
  serve: () => Promise<void>
  demo: (options: { port: number; json: boolean }) => Promise<void>
  /** The names of the steps that ran. */
  migrate: () => Promise<string[]>
  describeConfiguration: () => ConfigurationReport
  stdin: Readable & { isTTY?: boolean }
  stdout: Writable
  stderr: Writable
  /** Where clients reach the instance, when that is known: a new key then comes with a line to try it. */
  publicUrl?: string | undefined
  version?: string | undefined
  /** How long a command waits for a data folder that another process holds and does not administer; 10 s unless said. */
  patienceMs?: number | undefined
}

/** What is on, what is hidden, and why. */
export interface ConfigurationReport {
  settings: ShownSetting[]
  mistakes: Mistake[]
  slots: SlotReport[]
  sources: SourceReport[]
  /** In plain words, without addresses that hold a password. */
  storage: { database: string; shared: string }
}

interface SlotReport {
  name: string
  providers: ProviderReport[]
}

/** Whether a provider is usable, and what would make it so. */
export interface ProviderState {
  state: 'on' | 'hidden' | 'off'
  /** The settings that would turn a hidden provider on. */
  missing: string[]
}

export interface ProviderReport extends ProviderState {
  slug: string
  name: string
  tabs: string[]
}

export interface SourceReport extends ProviderState {
  slug: string
  name: string
  /** What it is for: maps, translate, … */
  group: string
  /** A setting that would do instead of the missing ones. */
  instead: string | null
}
