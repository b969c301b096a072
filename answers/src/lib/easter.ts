// Western Easter Sunday, from which every movable feast is counted.

/** Returns midnight UTC. Uses Lichtenberg's version of Gauss's algorithm, for the Gregorian calendar. */
export function easterSunday(year: number): number {
  const century = Math.floor(year / 100)
  const moon = 15 + Math.floor((3 * century + 3) / 4) - Math.floor((8 * century + 13) / 25)
  const sun = 2 - Math.floor((3 * century + 3) / 4)
  const golden = year % 19
  const seed = (19 * golden + moon) % 30
  const correction = Math.floor((seed + Math.floor(golden / 11)) / 29)
  const limit = 21 + seed - correction
  const sunday = 7 - ((year + Math.floor(year / 4) + sun) % 7)
  const march = limit + 7 - ((limit - sunday) % 7)
  return Date.UTC(year, 2, march)
}
