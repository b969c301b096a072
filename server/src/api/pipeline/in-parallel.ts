/** Runs `work` for each item, starting them in order, `most` at a time. */
export async function inParallel<Item>(
  items: Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = Iterator.from(items)
  const takeTurns = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: most }, takeTurns))
}
