// Binds engines to slots: the operator's bindings, and defaults for the rest. The defaults are the large indexes, which
// are hidden without a key, and as many keyless engines as KEYLESS_ENGINES allows. An engine that the operator binds is removed
// from the defaults, so that a new default never conflicts with an existing configuration.

import { ALL_ENGINES } from '@bowerbird/engines/all.ts'
import { type Engine, TABS, type Tab } from '@bowerbird/engines/engine.ts'
import { setting } from '@bowerbird/engines/setting.ts'
import type { Mistake, ReportMistakes, WrittenSettings } from '../config/environment.ts'
import { decimal, parsed, readSetting, type ShownSetting, showSetting } from '../config/setting-types.ts'
import { FIXED_SLOTS, readBinding, type SlotBinding } from '../search/slots.ts'
import type { ThinRule } from '../search/thin.ts'
import { readWhen } from '../search/thin.ts'
import type { KeylessChoice } from './keyless-setting.ts'

const KEYED_SLOTS = { ENGINE_A: 'brave', ENGINE_B: 'mojeek' }

/** Run by foundations, broadcasters and volunteers, or open to everyone by design. */
const FOUNDATIONS =
  'wikipedia marginalia hackernews images:openverse videos:sepiasearch videos:mediathekview ' +
  'science:crossref science:europepmc code:codeberg code:crates'

const DEFAULT_SLOTS: Readonly<Record<KeylessChoice, Readonly<Record<string, string>>>> = {
  none: { ...KEYED_SLOTS, ENGINE_C: '' },
  foundations: { ...KEYED_SLOTS, ENGINE_C: FOUNDATIONS },
  // Adds companies that answer without a key, and so without a contract, and foundations that allow few calls.
  all: {
    ...KEYED_SLOTS,
    ENGINE_C: FOUNDATIONS,
    ENGINE_D: 'youfree images:firecrawlfree news:firecrawlfree videos:dailymotion science:openalexfree code:githubfree',
    ENGINE_E: 'stackexchange videos:niconico science:arxiv code:stackexchange code:npm',
  },
}

/** The names of the engines that each choice adds to the one before. */
export function keylessNames(): Record<KeylessChoice, string[]> {
  const known = new Set<string>(Object.values(KEYED_SLOTS))
  const namesOf = (choice: KeylessChoice) => {
    const words = Object.values(DEFAULT_SLOTS[choice]).flatMap((binding) => binding.split(' '))
    const slugs = new Set(words.map((word) => word.replace(/^\w+:/, '')).filter((slug) => !known.has(slug)))
    for (const slug of slugs) known.add(slug)
    return ALL_ENGINES.filter(({ slug }) => slugs.has(slug)).map(({ name }) => name)
  }
  return { none: namesOf('none'), foundations: namesOf('foundations'), all: namesOf('all') }
}

interface ReadSlots {
  /** The valid slots, even if others have mistakes: the settings of their engines are checked as well. */
  slots: Map<string, SlotBinding>
  /** Each slot's weight in the merge. */
  weights: Map<string, number>
  /** When each slot is queried, if not always. */
  askConditions: Map<string, ThinRule>
  shown: ShownSetting[]
}

const SLOT_SETTING = /^ENGINE_[A-Z]$/
export const isSlotSetting = (name: string): boolean => /^ENGINE_[A-Z](?:_WEIGHT|_WHEN)?$/.test(name)

interface EngineChoice {
  keyless: KeylessChoice
  /** ENGINES_OFF. */
  off: readonly string[]
}

export function readSlots(
  written: WrittenSettings,
  { keyless, off }: EngineChoice,
  engines: readonly Engine[],
  report: ReportMistakes,
): ReadSlots {
  const { values, stored } = written
  const defaults = DEFAULT_SLOTS[keyless]
  if (off.some((slug) => !engines.some((engine) => engine.slug === slug)))
    report({ env: 'ENGINES_OFF', message: 'names an unknown engine. docs/reference/engines.md lists them.' })
  const slots = new Map<string, SlotBinding>(FIXED_SLOTS.map((slot) => [slot, {}]))
  const owners = new Map<string, string>()
  const set = Object.keys(values)
    .filter((name) => SLOT_SETTING.test(name))
    .sort()
  const unset = Object.keys(defaults).filter((name) => !set.includes(name))
  for (const env of [...set, ...unset]) {
    const binding = readBinding(values[env] ?? defaults[env] ?? '', engines)
    if ('mistake' in binding) {
      report({ env, message: binding.mistake })
      continue
    }
    const isDefault = unset.includes(env)
    if (!isDefault) report(...boundTwice(env, binding, owners), ...privateMistakes(env, namedBy(binding, engines)))
    const ownBinding = isDefault ? withoutSome(binding, (tab, slug) => owners.has(`${tab}:${slug}`)) : binding
    // The environment comes first: what it names can't be turned off in the database.
    const isOffHere = isDefault || stored.has(env) || !stored.has('ENGINES_OFF')
    slots.set(
      env.toLowerCase(),
      withoutSome(ownBinding, (_, slug) => isOffHere && off.includes(slug)),
    )
    for (const tab of TABS) for (const slug of binding[tab] ?? []) owners.set(`${tab}:${slug}`, env)
  }
  const names = [...slots.keys()].sort()
  const weightSettingOf = (slot: string) => `${slot.toUpperCase()}_WEIGHT`
  const whenSettingOf = (slot: string) => `${slot.toUpperCase()}_WHEN`
  return {
    slots: new Map(names.map((slot) => [slot, slots.get(slot) ?? {}])),
    weights: new Map(
      names.map((slot) => [slot, readSetting(written, weightSettingOf(slot), decimal(0.01, 100), report) ?? 1]),
    ),
    askConditions: new Map(
      names.flatMap((slot) => {
        const when = readSetting(written, whenSettingOf(slot), whenAsked, report)
        return when === undefined || when === 'always' ? [] : [[slot, when] as const]
      }),
    ),
    shown: [
      ...[...set, ...unset].sort().map((env) => setting(env, defaults[env])),
      ...names.map((slot) => setting(weightSettingOf(slot), '1')),
      ...names.map((slot) => setting(whenSettingOf(slot), 'always')),
    ].map(({ env, fallback }) => showSetting(written, { env, fallback, hidesValue: false })),
  }
}

const whenAsked = parsed(
  readWhen,
  'must be always, thin, or thin with figures: thin:8:0.3 asks if the others have fewer than 8 results, or if less than 0.3 of the first ten come from two indexes.',
)

const boundTwice = (env: string, binding: SlotBinding, owners: ReadonlyMap<string, string>): Mistake[] =>
  TABS.flatMap((tab) =>
    (binding[tab] ?? []).flatMap((slug) => {
      const owner = owners.get(`${tab}:${slug}`)
      return owner === undefined ? [] : [{ env, message: `binds ${slug} to ${tab}, but ${owner} already does.` }]
    }),
  )

const namedBy = (binding: SlotBinding, engines: readonly Engine[]): Engine[] =>
  engines.filter(({ slug }) => Object.values(binding).some((slugs) => slugs.includes(slug)))

/** What a slot finds is for everyone who may search. */
export const privateMistakes = (env: string, named: readonly Engine[]): Mistake[] =>
  named
    .filter(({ isPrivate }) => isPrivate)
    .map(({ slug }) => ({ env, message: `names ${slug}, which finds private things. Name it in MINE instead.` }))

/** The engines that MINE names, in its order. It's a mistake if one isn't private. */
export function readMine(slugs: readonly string[], engines: readonly Engine[], report: ReportMistakes): string[] {
  const known = engines.filter(({ isPrivate, tabs }) => isPrivate && tabs.web).map(({ slug }) => slug)
  const named = slugs.filter((slug) => known.includes(slug))
  const message = `must only contain engines that find private things: ${known.join(', ')}. Any other belongs in a slot, such as ENGINE_D.`
  if (named.length < slugs.length) report({ env: 'MINE', message })
  return named
}

/** What has to change in these stored settings so that none names an engine any more. */
export function editsWithout(
  slug: string,
  stored: Readonly<Record<string, unknown>>,
): Record<string, string | undefined> {
  const edits: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(stored)) {
    if (
      typeof value !== 'string' ||
      !(SLOT_SETTING.test(name) || name === 'MINE' || name === 'SUGGEST' || name === 'ENGINES_OFF')
    )
      continue
    const words = value.split(/[\s,]+/).filter(Boolean)
    const kept = words.filter((word) => word.toLowerCase().replace(/^\w+:/, '') !== slug)
    if (kept.length < words.length) edits[name] = kept.join(' ') || undefined
  }
  return edits
}

function withoutSome(binding: SlotBinding, isLeftOut: (tab: Tab, slug: string) => boolean): SlotBinding {
  const remaining: SlotBinding = {}
  for (const tab of TABS) {
    const slugs = (binding[tab] ?? []).filter((slug) => !isLeftOut(tab, slug))
    if (slugs.length > 0) remaining[tab] = slugs
  }
  return remaining
}
