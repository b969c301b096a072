// How many entries an LRU cache may have, without reserving the memory for all of them. lru-cache's own `max` does
// reserve it, which for caches that most instances hardly fill comes to 15 MB.

export const atMost = (entries: number): { maxSize: number; sizeCalculation: () => number } => ({
  maxSize: entries,
  sizeCalculation: () => 1,
})
