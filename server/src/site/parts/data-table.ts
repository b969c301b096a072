// A table of records. On a phone each row becomes a block with the column's name before every value, so that nothing
// has to be scrolled sideways.
import { type Html, html, type Piece } from '../http/html.ts'

export interface Column<Row> {
  label: string
  cell: (row: Row) => Piece
  /** End-aligned, in tabular figures. */
  isNumber?: boolean
  /** Names the row: its cell becomes the row's heading. */
  isHeading?: boolean
  /** Buttons: the label is only for screen readers. */
  isAction?: boolean
}

export const dataTable = <Row>(caption: string, columns: readonly Column<Row>[], rows: readonly Row[]): Html =>
  html`<table class="data-table"><caption class="visually-hidden">${caption}</caption>
<thead><tr>${columns.map(headOf)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => cellOf(column, row))}</tr>`)}</tbody></table>`

const headOf = <Row>({ label, isNumber, isAction }: Column<Row>): Html =>
  html`<th scope="col"${isNumber && html` class="number"`}>${isAction ? html`<span class="visually-hidden">${label}</span>` : label}</th>`

const cellOf = <Row>({ label, cell, isNumber, isHeading, isAction }: Column<Row>, row: Row): Html =>
  isHeading
    ? html`<th scope="row" data-label="${label}">${cell(row)}</th>`
    : html`<td data-label="${!isAction && label}"${isNumber && html` class="number"`}>${cell(row)}</td>`
