// Names UTC days ('2026-11-15') and months ('2026-11').

export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)
export const startOfMonth = (month: string): number => Date.parse(`${month}-01T00:00:00Z`)

export function endOfMonth(month: string): number {
  const start = new Date(startOfMonth(month))
  return start.setUTCMonth(start.getUTCMonth() + 1)
}
