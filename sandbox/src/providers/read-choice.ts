// Reads a parameter that has a few allowed values, as strict providers do: any other value is refused.

/** The value, the fallback when it is not given, or `undefined` when it is refused. */
export function readChoice<Choice extends string>(
  query: URLSearchParams,
  name: string,
  { of, fallback }: { of: readonly Choice[]; fallback: Choice },
): Choice | undefined {
  const given = query.get(name)
  return given === null ? fallback : of.find((choice) => choice === given)
}
