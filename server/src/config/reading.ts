// What became of reading settings: what they say, or everything that is wrong with them. Nothing is made up in place of
// a value that could not be read, and an operator sees every mistake at once and not one a start.

export interface Mistake {
  env: string
  /** A sentence that says what to write instead. */
  message: string
}

export type Reading<Value> = { ok: true; value: Value } | { ok: false; mistakes: readonly Mistake[] }

export const understood = <Value>(value: Value): Reading<Value> => ({ ok: true, value })

export const mistaken = (env: string, message: string): Reading<never> => ({ ok: false, mistakes: [{ env, message }] })

/** One reading of many: all the values, or all the mistakes in the order of their names. */
export function together<Values extends object>(
  readings: {
    [Name in keyof Values]: Reading<Values[Name]>
  },
): Reading<Values> {
  const values: Partial<Values> = {}
  const mistakes: Mistake[] = []
  for (const name of Object.keys(readings) as (keyof Values)[]) {
    const reading = readings[name]
    if (reading.ok) values[name] = reading.value
    else mistakes.push(...reading.mistakes)
  }
  // Without a mistake, every name has got its value just above.
  return mistakes.length > 0 ? { ok: false, mistakes } : understood(values as Values)
}

export const mapped = <Value, Other>(reading: Reading<Value>, to: (value: Value) => Other): Reading<Other> =>
  reading.ok ? understood(to(reading.value)) : reading

/** The same reading, unless there are more mistakes. */
export const withMistakes = <Value>(reading: Reading<Value>, more: readonly Mistake[]): Reading<Value> =>
  more.length === 0 ? reading : { ok: false, mistakes: [...(reading.ok ? [] : reading.mistakes), ...more] }
