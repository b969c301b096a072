// Solves a system of linear equations by Gaussian elimination with partial pivoting. There are as many unknowns as
// engines: a few dozen at most.

/** An unknown that the equations say nothing about is 0. */
export function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0])
  const size = rows.length
  for (let column = 0; column < size; column += 1) {
    const pivot = bestPivot(rows, column)
    const [current, other] = [rows[column] ?? [], rows[pivot] ?? []]
    rows[column] = other
    rows[pivot] = current
    const divisor = other[column] ?? 0
    if (divisor === 0) continue
    for (let at = column + 1; at < size; at += 1) {
      const row = rows[at] ?? []
      const factor = (row[column] ?? 0) / divisor
      for (let place = column; place <= size; place += 1) row[place] = (row[place] ?? 0) - factor * (other[place] ?? 0)
    }
  }
  const solution = rows.map(() => 0)
  for (let at = size - 1; at >= 0; at -= 1) {
    const row = rows[at] ?? []
    let rest = row[size] ?? 0
    for (let place = at + 1; place < size; place += 1) rest -= (row[place] ?? 0) * (solution[place] ?? 0)
    const divisor = row[at] ?? 0
    solution[at] = divisor === 0 ? 0 : rest / divisor
  }
  return solution
}

function bestPivot(rows: readonly (readonly number[])[], column: number): number {
  let best = column
  for (let at = column + 1; at < rows.length; at += 1)
    if (Math.abs(rows[at]?.[column] ?? 0) > Math.abs(rows[best]?.[column] ?? 0)) best = at
  return best
}
