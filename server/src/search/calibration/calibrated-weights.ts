// CALIBRATED_WEIGHTS: what calibrations found, as one setting. `web:brave=1.4 web:mojeek=0.6` weighs two engines in the web
// tab; `web/de:brave=0.9` counts for searches in German instead. Weights belong to engines and not to slots, because a
// slot may have several, or get another. An engine that isn't named has its slot's weight.
import { TABS, type Tab } from '@bowerbird/engines/engine.ts'

/** Weights by engine, of the searches of a scope: a tab (`web`), or a tab in one language (`web/de`). */
export type CalibratedWeights = ReadonlyMap<string, ReadonlyMap<string, number>>

/** Where they are stored. */
export const WEIGHTS_SETTING = 'CALIBRATED_WEIGHTS'

/** Where a weight in the merge comes from. */
export type WeightOrigin = 'default' | 'setting' | 'calibration'

const WORD = /^([a-z]{1,10}(?:\/[a-z]{2,3})?):([a-z0-9]{1,40})=(\d{1,3}(?:\.\d{1,3})?)$/

export const scopeOf = (tab: Tab, lang: string): string => (lang === '' ? tab : `${tab}/${baseOf(lang)}`)

const baseOf = (lang: string): string => (lang.split('-', 1)[0] ?? '').toLowerCase()

/** undefined: it isn't written as it should be. */
export function parseCalibratedWeights(text: string): CalibratedWeights | undefined {
  const scopes = new Map<string, Map<string, number>>()
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, scope = '', engine = '', written] = WORD.exec(word.toLowerCase()) ?? []
    const weight = Number(written)
    const isTab = TABS.some((tab) => tab === scope.split('/', 1)[0])
    if (!isTab || !(weight >= 0.01 && weight <= 100)) return undefined
    scopes.set(scope, (scopes.get(scope) ?? new Map()).set(engine, weight))
  }
  return scopes
}

export const formatCalibratedWeights = (weights: CalibratedWeights): string =>
  [...weights]
    .flatMap(([scope, engines]) => [...engines].map(([engine, weight]) => `${scope}:${engine}=${shownWeight(weight)}`))
    .join(' ')

/** Two digits are more than a few graded searches can tell. */
const shownWeight = (weight: number): string => String(Math.max(0.01, Number(weight.toFixed(2))))

/** undefined: the weight of the slot counts. */
export function calibratedWeight(
  weights: CalibratedWeights,
  { tab, lang }: { tab: Tab; lang: string },
  engine: string,
): number | undefined {
  const ofLanguage = lang === '' ? undefined : weights.get(scopeOf(tab, lang))
  return (ofLanguage ?? weights.get(tab))?.get(engine)
}

/** The setting after weights were found for a scope. The other scopes keep theirs. */
export function withScope(written: string | undefined, scope: string, weights: ReadonlyMap<string, number>): string {
  const scopes = parseCalibratedWeights(written ?? '') ?? new Map<string, ReadonlyMap<string, number>>()
  return formatCalibratedWeights(new Map([...scopes, [scope, weights]]))
}
