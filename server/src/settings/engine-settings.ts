// What an administrator sets for one engine on the website: whether it is used, in which slot, with which weight and
// when, its key, and what it may cost in a month. One form becomes one change of the stored settings.
//
// An engine is turned off with ENGINES_OFF and not by rewriting its slot, so that a default slot stays a default: the
// choice of keyless engines, and what newer versions add to it, keep their effect.
import type { Configuration } from './configuration.ts'
import { envOf } from './provider-configuration.ts'

/** `on`: in its slot, or in the first free one. `off`: in none. Otherwise the letter of a free slot. */
export type WantedPlace = string

/** What isn't given stays as it is. */
export interface EngineWish {
  /** The setting of its key, and the new key. */
  key?: { setting: string; value: string } | undefined
  place?: WantedPlace | undefined
  /** Of its slot. */
  weight?: string | undefined
  /** When its slot is asked: `always`, or `thin` with or without its figures. */
  when?: string | undefined
  /** Per month; '': no cap. */
  calls?: string | undefined
  usd?: string | undefined
}

export interface EnginePlace {
  /** The letters of its slots. */
  letters: string[]
  /** Turned off by ENGINES_OFF. */
  isOff: boolean
  /** The setting of the environment because of which this can't be changed here. */
  fixedBy: string | undefined
}

type Known = Pick<Configuration, 'slots' | 'weights' | 'isFixed' | 'writtenValue' | 'withStored'>
type Edits = Record<string, string | undefined>

const OFF = 'ENGINES_OFF'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
export const slotSetting = (letter: string): string => `ENGINE_${letter}`
const weightSetting = (letter: string): string => `ENGINE_${letter}_WEIGHT`
const whenSetting = (letter: string): string => `ENGINE_${letter}_WHEN`
const slotName = (letter: string): string => `engine_${letter.toLowerCase()}`
const wordsIn = (text = ''): string[] => text.split(/[\s,]+/).filter(Boolean)

export function placeOf(slug: string, { slots, isFixed, writtenValue }: Known): EnginePlace {
  const letters = LETTERS.filter((letter) => isIn(slots.get(slotName(letter)), slug))
  const isOff = wordsIn(writtenValue(OFF)).includes(slug)
  const fixedSlot = letters.map(slotSetting).find(isFixed)
  const isFixedOff = isFixed(OFF) && (isOff || letters.length > 0)
  return { letters, isOff, fixedBy: fixedSlot ?? (isFixedOff ? OFF : undefined) }
}

/** The letters of the slots that have no engine and that the environment doesn't set. */
export const freeSlots = ({ slots, isFixed }: Pick<Known, 'slots' | 'isFixed'>): string[] =>
  LETTERS.filter(
    (letter) => Object.keys(slots.get(slotName(letter)) ?? {}).length === 0 && !isFixed(slotSetting(letter)),
  )

const isIn = (binding: Partial<Record<string, string[]>> = {}, slug: string): boolean =>
  Object.values(binding).some((slugs) => slugs?.includes(slug))

/** `stored`: what is in the database now. */
export function editsForEngine(
  slug: string,
  wish: EngineWish,
  { configuration, stored }: { configuration: Known; stored: Readonly<Record<string, string>> },
): Edits {
  const edits: Edits = wish.key ? { [wish.key.setting]: wish.key.value } : {}
  const letter = placeEngine(slug, wish, { configuration, stored, edits })
  const weight = wish.weight === '1' ? '' : wish.weight
  const when = wish.when === 'always' ? '' : wish.when
  return {
    ...edits,
    ...(letter !== undefined && editOf(weightSetting(letter), weight, configuration)),
    ...(letter !== undefined && editOf(whenSetting(letter), when, configuration)),
    ...editOf(envOf(slug, 'MONTHLY_CALLS'), wish.calls, configuration),
    ...editOf(envOf(slug, 'MONTHLY_USD'), wish.usd, configuration),
  }
}

/** undefined: it stays as it is. '': it is removed. */
function editOf(
  setting: string,
  value: string | undefined,
  { isFixed, writtenValue }: Pick<Known, 'isFixed' | 'writtenValue'>,
): Edits {
  if (value === undefined || isFixed(setting) || value === (writtenValue(setting) ?? '')) return {}
  return { [setting]: value === '' ? undefined : value }
}

interface Placing {
  configuration: Known
  stored: Readonly<Record<string, string>>
  /** Gets the edits. */
  edits: Edits
}

/** Returns the letter of the engine's slot, if it is in one alone. */
function placeEngine(slug: string, { place, key }: EngineWish, placing: Placing): string | undefined {
  const { configuration, stored, edits } = placing
  const { letters, isOff, fixedBy } = placeOf(slug, configuration)
  const [only] = letters.length === 1 ? letters : []
  if (fixedBy !== undefined) return only
  const off = wordsIn(configuration.writtenValue(OFF))
  const isWanted = place !== undefined && place !== 'off'
  if (place === 'off' && letters.length > 0) edits[OFF] = [...off, slug].join(' ')
  if (isWanted && isOff) edits[OFF] = off.filter((other) => other !== slug).join(' ') || undefined
  const free = freeSlots(configuration)
  // With its first key, an engine that is in no slot gets one: otherwise the key would do nothing.
  const needsSlot = (isWanted || (key !== undefined && !isOff)) && !isBound(slug, placing)
  const letter = place !== undefined && free.includes(place) ? place : needsSlot ? free[0] : undefined
  if (letter === undefined) return only
  Object.assign(edits, withoutEngine(slug, stored), { [slotSetting(letter)]: slug })
  leaveOthersOff(slug, placing)
  return letter
}

/** The slots as they would be with the edits so far. */
const slotsAfter = ({ configuration, stored, edits }: Placing) => {
  const values = Object.entries({ ...stored, ...edits }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  return configuration.withStored(Object.fromEntries(values)).slots
}

const isBound = (slug: string, placing: Placing): boolean =>
  [...slotsAfter(placing).values()].some((binding) => isIn(binding, slug))

/** Takes it out of the stored slots that name it. A slot that is then empty goes, and what was set for it. */
function withoutEngine(slug: string, stored: Placing['stored']): Edits {
  const edits: Edits = {}
  for (const letter of LETTERS) {
    const words = wordsIn(stored[slotSetting(letter)])
    const others = words.filter((word) => word !== slug && !word.endsWith(`:${slug}`))
    if (others.length === words.length) continue
    edits[slotSetting(letter)] = others.join(' ') || undefined
    if (others.length > 0) continue
    edits[weightSetting(letter)] = undefined
    if (stored[whenSetting(letter)] !== undefined) edits[whenSetting(letter)] = undefined
  }
  return edits
}

/** If a slot gets its default back, its default engines don't come into use with it: nobody asked for them. */
function leaveOthersOff(slug: string, placing: Placing): void {
  const { configuration, edits } = placing
  const enginesIn = (slots: Known['slots'] | ReturnType<typeof slotsAfter>) =>
    new Set([...slots.values()].flatMap((binding) => Object.values(binding).flat()))
  const appeared = enginesIn(slotsAfter(placing)).difference(enginesIn(configuration.slots))
  appeared.delete(slug)
  if (appeared.size === 0 || configuration.isFixed(OFF)) return
  const off = OFF in edits ? edits[OFF] : configuration.writtenValue(OFF)
  edits[OFF] = [...wordsIn(off), ...appeared].join(' ')
}
