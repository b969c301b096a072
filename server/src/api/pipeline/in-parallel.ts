/** Runs `work` for each item, starting in order, on at most `maxAtOnce` items at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  maxAtOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const remaining = Iterator.from(items)
  const runNext = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: maxAtOnce }, runNext))
}
