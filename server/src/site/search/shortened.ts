// Text of others at a length that a page can bear. The stylesheet hides what is too much for the eye; this keeps what
// is too much for the line off it: ten results of ten kilobytes each are no page.
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
