// `bowerbird config set` and `unset`: the settings in the database. And `bowerbird secret rotate`, for
// the secret that encrypts those among them that are secret.
import { isCancel, password as promptSecret, text as promptText } from '@clack/prompts'
import type { Command } from 'commander'
import { Refusal } from '../errors.ts'
import { isProviderSecret } from '../settings/provider-configuration.ts'
import { DataFolderInUse } from '../store/data-folder.ts'
import { administer } from './administer.ts'
import type { CliHost, StoredValues } from './cli-host.ts'
import { addExamples, cancelled, JSON_OPTION, performAndPrint, printResult, readFirstLine } from './command-parts.ts'

export interface ReadSettings {
  /** Secrets are replaced by a word unless they were asked for. */
  values: StoredValues
  unreadable: string[]
  /** Why the database could not be read, in a sentence. The values are then empty. */
  failure: string | null
}

/** The settings in the database, for commands that also work without it. */
export async function readStored(host: CliHost, withSecrets = false): Promise<ReadSettings> {
  try {
    return await administer(host, async (perform) => {
      const { values, secrets, unreadable } = await perform('settings-read', { with_secrets: withSecrets })
      const hidden = Object.fromEntries(secrets.map((name) => [name, 'set']))
      return { values: { ...hidden, ...values }, unreadable, failure: null }
    })
  } catch (error) {
    const detail = error instanceof Refusal ? error.body['detail'] : undefined
    return {
      values: {},
      unreadable: [],
      failure: typeof detail === 'string' ? detail : 'The database is not available.',
    }
  }
}

interface JsonOption {
  json?: boolean
}

export function addSettingsCommands(config: Command, host: CliHost): void {
  const set = config
    .command('set')
    .summary('store a setting in the database')
    .description(
      'Store a setting in the database: a provider’s key, address, rate limit, price or cap, a slot, its weight or when it is asked, CALIBRATED_WEIGHTS, MINE, KEYLESS_ENGINES, ENGINES_OFF, SUGGEST, INSTANCE_NAME and what else makes the instance yours, OPERATOR_CONTACT or SITE_ACCESS. Every node uses it within a second, without a restart. The environment comes first: what it sets cannot be changed here. A secret is never an argument: it is asked for, or read from standard input.',
    )
    .argument('<name>', 'the name of the setting, as in the environment')
    .argument('[value]', 'its value, unless it is a secret; from standard input by default')
    .option(...JSON_OPTION)
    .action(async (name: string, given: string | undefined) => {
      const { json = false }: JsonOption = set.optsWithGlobals()
      const value = await readValue(host, name, given)
      await performAndPrint(host, json, async (perform) =>
        changeResult(await perform('settings-change', { name, value }), {
          done: `${name} is stored. ${IN_FORCE}`,
          already: `${name} has this value already.`,
        }),
      )
    })
  addExamples(set, [
    'bowerbird config set ENGINE_B "marginalia images:openverse"',
    'bowerbird config set BRAVE_MONTHLY_USD 20',
    'bowerbird config set BRAVE_API_KEY < brave.key',
  ])

  const unset = config
    .command('unset')
    .summary('remove a setting from the database')
    .description('Remove a setting from the database. Its default is in force within a second.')
    .argument('<name>', 'the name of the setting')
    .option(...JSON_OPTION)
    .action(async (name: string) => {
      const { json = false }: JsonOption = unset.optsWithGlobals()
      await performAndPrint(host, json, async (perform) =>
        changeResult(await perform('settings-change', { name, value: null }), {
          done: `${name} is removed from the database. ${IN_FORCE}`,
          already: `${name} is not in the database, so there is nothing to remove.`,
        }),
      )
    })
  addExamples(unset, ['bowerbird config unset ENGINE_B'])
}

async function readValue(host: CliHost, name: string, given: string | undefined): Promise<string> {
  const isSecret = isProviderSecret(name)
  if (isSecret && given !== undefined) {
    throw new Refusal(
      'parameter_invalid',
      `${name} is a secret, and arguments stay in the history of your shell. Leave it out: you are asked for it, or it is read from standard input.`,
    )
  }
  const value = given ?? (await askFor(host, name, isSecret))
  if (value.trim() !== '') return value
  throw new Refusal(
    'parameter_invalid',
    `The value is empty. To remove a setting, run: bowerbird config unset ${name}.`,
  )
}

/** Prompts go to standard error, because standard output is for the result. */
async function askFor(host: CliHost, message: string, isSecret: boolean): Promise<string> {
  const { stdin, stderr } = host
  if (!stdin.isTTY) return await readFirstLine(host)
  const prompt = isSecret ? promptSecret : promptText
  const value = await prompt({ input: stdin, output: stderr, message })
  if (isCancel(value)) throw cancelled()
  return value
}

const IN_FORCE = 'Running nodes follow within a second.'

const changeResult = ({ changed }: { changed: string[] }, { done, already }: { done: string; already: string }) => ({
  value: { changed },
  lines: [changed.length === 0 ? already : done],
})

export function addSecretCommand(program: Command, host: CliHost): void {
  const secret = program
    .command('secret')
    .summary('rotate the secret that encrypts second factors and provider keys')
    .description('The secret of the instance, which encrypts second factors and provider keys in the database.')
  const rotate = secret
    .command('rotate')
    .description(
      'Encrypt second factors and provider keys with a new secret. Stop all nodes first. Without INSTANCE_SECRET, a new secret is generated and kept in the database. With --stdin, the new one is the first line of standard input, and you set INSTANCE_SECRET to it before you start the nodes again. Everyone has to sign in again, and feeds are deleted: people make them anew.',
    )
    .option('--stdin', 'read the new secret from standard input')
    .option(...JSON_OPTION)
    .action(async ({ json = false, stdin = false }: JsonOption & { stdin?: boolean }) => {
      const given = stdin ? (await askFor(host, 'The new secret', true)).trim() : undefined
      await host
        .onData(() => host.rotateSecret(given))
        .catch((error: unknown) => {
          if (error instanceof DataFolderInUse)
            throw new Refusal('conflict', `${error.message} Stop it before you rotate the secret.`)
          throw error
        })
      const next = stdin
        ? 'Set INSTANCE_SECRET to the new secret on every node, and start them.'
        : 'Start the nodes again.'
      await printResult(host, json, { value: { rotated: true }, lines: [`The secret is rotated. ${next}`] })
    })
  addExamples(secret, ['bowerbird secret rotate'])
  addExamples(rotate, [
    'bowerbird secret rotate',
    'openssl rand -base64 32 | tee new.secret | bowerbird secret rotate --stdin',
  ])
}
