// Aligned columns for the terminal. The first rows decide the widths; a wider cell in a later row only shifts its own
// line, so that rows can be printed as they arrive. The last column is not padded: it is for values that may be long or
// wide.

export interface Column<Row> {
  title: string
  cell: (row: Row) => string
}

const GAP = '  '

/** The titles come with the first rows. */
export function createTable<Row>(columns: readonly Column<Row>[]): (rows: readonly Row[]) => string {
  let widths: number[] | undefined
  return (rows) => {
    const lines = rows.map((row) => columns.map(({ cell }) => cell(row)))
    if (widths === undefined) {
      lines.unshift(columns.map(({ title }) => title))
      widths = measure(lines)
    }
    const padding = widths
    return lines.map((cells) => `${alignCells(cells, padding)}\n`).join('')
  }
}

/** Without titles, for a few lines that are all known in advance. */
export function alignLines(lines: readonly string[][]): string[] {
  const widths = measure(lines)
  return lines.map((cells) => alignCells(cells, widths))
}

function measure(lines: readonly string[][]): number[] {
  const widths: number[] = []
  for (const cells of lines)
    for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length)
  return widths
}

const alignCells = (cells: readonly string[], widths: readonly number[]): string =>
  cells
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join(GAP)
    .trimEnd()
