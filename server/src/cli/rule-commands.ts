// `bowerbird rules …`: what the instance, a person or a key wants of some sites.
import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { codeOf, Refusal } from '../errors.ts'
import type { SiteRule } from '../rules/site-rules.ts'
import { administer } from './administer.ts'
import type { CliHost } from './cli-host.ts'
import {
  addExamples,
  alignLines,
  formatTimestamp,
  JSON_OPTION,
  performAndPrint,
  print,
  printResult,
} from './command-parts.ts'

interface OwnerOptions {
  json?: boolean
  user?: string
  key?: string
}

const ACTIONS = {
  block: 'Show nothing of a site, anywhere.',
  raise: 'Show the results of a site higher.',
  lower: 'Show the results of a site lower.',
  pin: 'Show the results of a site first.',
} as const

const MAX_LENGTH = 10_000_000
const SITE_ARGUMENT = ['<site>', 'such as example.org (with its subdomains), *.example or example.org/shop/*'] as const

export function addRuleCommands(program: Command, host: CliHost): void {
  const rules = program
    .command('rules')
    .summary('block, raise, lower, pin and rewrite sites')
    .description(
      'Manage rules about sites: for everyone on this instance, for a person (--user), or for an API key (--key). They are in force on every node within seconds.',
    )
  addExamples(rules, [
    'bowerbird rules block content-farm.example',
    'bowerbird rules raise docs.example.org --key 4fGh72Kq',
    'bowerbird rules import ublacklist.txt --user alice',
    'bowerbird rules subscribe https://lists.example/farms.txt',
  ])
  addList(rules, host)
  for (const action of Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]) addAction(rules, host, action)
  addRewrite(rules, host)
  addRemove(rules, host)
  addImport(rules, host)
  addExport(rules, host)
  addSubscribe(rules, host)
  addUnsubscribe(rules, host)
}

const withOwner = (command: Command): Command =>
  command
    .addOption(new Option('--user <name>', "a person's rules, for their searches on the website").conflicts('key'))
    .option('--key <key>', "a key's rules, by its prefix or id")
    .option(...JSON_OPTION)

const ownerOf = ({ user, key }: OwnerOptions) => ({
  ...(user !== undefined && { username: user }),
  ...(key !== undefined && { key }),
})

const ruleLine = ({ action, pattern, to }: SiteRule): string[] => [action, pattern, to ?? '']

function addList(rules: Command, host: CliHost): void {
  const list = withOwner(rules.command('list').description('List rules, newest first, and subscriptions.')).action(
    (options: OwnerOptions) =>
      performAndPrint(host, options.json ?? false, async (perform) => {
        const value = await perform('rules-list', ownerOf(options))
        const { own, subscriptions } = value
        const lists = subscriptions.map(({ id, action, rules, fetched_at, problem, address }) => [
          `list ${id}`,
          action,
          `${rules} rules`,
          formatTimestamp(fetched_at),
          address,
          problem,
        ])
        const lines = [...alignLines(own.map(ruleLine)), ...alignLines(lists)]
        return { value, lines: lines.length > 0 ? lines : ['No rules yet. Add one with: bowerbird rules block <site>'] }
      }),
  )
  addExamples(list, ['bowerbird rules list', 'bowerbird rules list --user alice'])
}

function addAction(rules: Command, host: CliHost, action: keyof typeof ACTIONS): void {
  const command = withOwner(
    rules
      .command(action)
      .description(ACTIONS[action])
      .argument(...SITE_ARGUMENT),
  ).action((pattern: string, options: OwnerOptions) =>
    performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rule-set', { ...ownerOf(options), pattern, action })
      return { value, lines: ['Done.'] }
    }),
  )
  addExamples(command, [
    `bowerbird rules ${action} example.org`,
    `bowerbird rules ${action} example.org --key 4fGh72Kq`,
  ])
}

function addRewrite(rules: Command, host: CliHost): void {
  const rewrite = withOwner(
    rules
      .command('rewrite')
      .description('Show the results of a site under another host, such as that of a private front end.')
      .argument(...SITE_ARGUMENT)
      .argument('<host>', 'the host to show instead'),
  ).action((pattern: string, to: string, options: OwnerOptions) =>
    performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rule-set', { ...ownerOf(options), pattern, action: 'rewrite', to })
      return { value, lines: ['Done.'] }
    }),
  )
  addExamples(rewrite, ['bowerbird rules rewrite video.example front-end.example'])
}

function addRemove(rules: Command, host: CliHost): void {
  const remove = withOwner(
    rules
      .command('remove')
      .description('Remove the rules for a site.')
      .argument(...SITE_ARGUMENT),
  ).action((pattern: string, options: OwnerOptions) =>
    performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rule-remove', { ...ownerOf(options), pattern })
      return { value, lines: ['Removed.'] }
    }),
  )
  addExamples(remove, ['bowerbird rules remove example.org'])
}

function addImport(rules: Command, host: CliHost): void {
  const command = withOwner(
    rules
      .command('import')
      .description(
        'Add all rules of a file: uBlacklist, Brave Goggles, Kagi, hostnames.yml of SearXNG, a list of hosts, a hosts file, or what bowerbird rules export has printed. Sites without an action are blocked.',
      )
      .argument('[file]', 'standard input by default'),
  ).action(async (path: string | undefined, options: OwnerOptions) => {
    const text = await readRules(host, path)
    if (text.length > MAX_LENGTH) throw new Refusal('body_too_large', 'This file is larger than 10 MB. Split it.')
    await performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rules-import', { ...ownerOf(options), rules: text })
      return { value, lines: [...value.problems, `Imported ${value.added} rules.`] }
    })
  })
  addExamples(command, ['bowerbird rules import ublacklist.txt', 'bowerbird rules import --user alice < kagi.txt'])
}

async function readRules({ stdin }: CliHost, path: string | undefined): Promise<string> {
  try {
    return path === undefined ? await readAll(stdin) : await readFile(path, 'utf8')
  } catch (error) {
    throw new Refusal('not_found', `The file cannot be read (${codeOf(error)}). Check its name and who may read it.`)
  }
}

function addExport(rules: Command, host: CliHost): void {
  const command = withOwner(
    rules
      .command('export')
      .description('Print the rules, one a line, as bowerbird rules import reads them. Lists are left out.'),
  ).action((options: OwnerOptions) =>
    administer(host, async (perform) => {
      const value = await perform('rules-export', ownerOf(options))
      if (options.json) await printResult(host, true, { value, lines: [] })
      else await print(host.stdout, value.text)
    }),
  )
  addExamples(command, ['bowerbird rules export > rules.txt'])
}

function addSubscribe(rules: Command, host: CliHost): void {
  const subscribe = withOwner(
    rules
      .command('subscribe')
      .description(
        'Follow a list that somebody publishes. A running instance fetches it within seconds, and then once a day.',
      )
      .argument('<address>', 'where the list is')
      .addOption(
        new Option('--action <action>', 'what to do with sites that the list names without an action')
          .choices(Object.keys(ACTIONS))
          .default('block'),
      ),
  ).action((address: string, { action, ...options }: OwnerOptions & { action: keyof typeof ACTIONS }) =>
    performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rules-subscribe', { ...ownerOf(options), address, action })
      return { value, lines: ['Subscribed. See what was fetched with: bowerbird rules list'] }
    }),
  )
  addExamples(subscribe, [
    'bowerbird rules subscribe https://lists.example/farms.txt',
    'bowerbird rules subscribe https://lists.example/small-web.txt --action raise --user alice',
  ])
}

function addUnsubscribe(rules: Command, host: CliHost): void {
  const unsubscribe = withOwner(
    rules
      .command('unsubscribe')
      .description('Stop following a list, and forget its rules.')
      .argument('<list>', 'its id or its address, as bowerbird rules list shows them'),
  ).action((list: string, options: OwnerOptions) =>
    performAndPrint(host, options.json ?? false, async (perform) => {
      const value = await perform('rules-unsubscribe', { ...ownerOf(options), list })
      return { value, lines: ['Unsubscribed.'] }
    }),
  )
  addExamples(unsubscribe, ['bowerbird rules unsubscribe https://lists.example/farms.txt'])
}
