// Reads a data table. A table that only lays out a page, or contains other tables, is not one: its cells are read like
// everything else.
import type { Block, Run } from './blocks.ts'
import { attributeOf, nameOf, type PageNode } from './page-node.ts'

/** The most columns or rows that one cell may span; a page may ask for a thousand. */
const MAX_SPAN = 20
const MAX_COLUMNS = 64
const SECTIONS = new Set(['thead', 'tbody', 'tfoot'])
/** A cell with any of these is part of a layout. */
const LAYOUT = new Set(['table', 'h1', 'h2', 'h3', 'h4', 'article', 'section', 'pre', 'blockquote'])

/** undefined: it is not a data table. */
export function readTable(table: PageNode, runsIn: (cell: PageNode) => Run[]): Block[] | undefined {
  const rows = rowsOf(table).map(cellsOf)
  const widths = rows.map((cells) => cells.length)
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...widths))
  if (width < 2 || rows.length < 2 || rows.flat().some(hasLayout)) return undefined
  const filled = fill(rows, runsIn)
  const columns = Math.min(MAX_COLUMNS, Math.max(...filled.map((cells) => cells.length)))
  const evenRows = filled
    .filter((cells) => cells.some((runs) => runs.length > 0))
    .map((cells) => [...cells, ...empty(columns - cells.length)].slice(0, columns))
  if (evenRows.length < 2) return undefined
  const caption = [...table.childNodes].find((child) => nameOf(child) === 'caption')
  const title = caption ? runsIn(caption) : []
  return [...(title.length > 0 ? [{ kind: 'paragraph' as const, runs: title }] : []), { kind: 'table', rows: evenRows }]
}

function rowsOf(table: PageNode): PageNode[] {
  return [...table.childNodes].flatMap((child) => {
    if (nameOf(child) === 'tr') return [child]
    return SECTIONS.has(nameOf(child)) ? [...child.childNodes].filter((row) => nameOf(row) === 'tr') : []
  })
}

const cellsOf = (row: PageNode): PageNode[] =>
  [...row.childNodes].filter((cell) => nameOf(cell) === 'td' || nameOf(cell) === 'th')

const spanOf = (cell: PageNode, direction: 'colspan' | 'rowspan'): number =>
  Math.min(MAX_SPAN, Math.max(1, Number.parseInt(attributeOf(cell, direction), 10) || 1))

/** Puts a cell that spans several columns or rows into the first of them; the others stay empty. */
function fill(rows: readonly PageNode[][], runsIn: (cell: PageNode) => Run[]): Run[][][] {
  /** By column: how many more rows the cell above spans. */
  const rowsCovered: number[] = []
  return rows.map((cells) => {
    const filled: Run[][] = []
    const skipCovered = () => {
      for (let left = rowsCovered[filled.length]; left; left = rowsCovered[filled.length]) {
        rowsCovered[filled.length] = left - 1
        filled.push([])
      }
    }
    for (const cell of cells) {
      skipCovered()
      const rowsBelow = spanOf(cell, 'rowspan') - 1
      const spanned = [runsIn(cell), ...empty(spanOf(cell, 'colspan') - 1)]
      for (const runs of spanned) {
        rowsCovered[filled.length] = rowsBelow
        filled.push(runs)
      }
    }
    skipCovered()
    return filled
  })
}

const empty = (count: number): Run[][] => Array.from({ length: Math.max(0, count) }, () => [])

const hasLayout = (node: PageNode): boolean =>
  [...node.childNodes].some((child) => LAYOUT.has(nameOf(child)) || hasLayout(child))
