// Limits an LRU cache to a number of entries without preallocating memory for them. lru-cache's `max` preallocates,
// which costs 15 MB for caches that most instances hardly fill.

export const atMost = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
})
