// Shortens third-party text to a length that suits a page. The stylesheet hides what doesn't fit on screen; this keeps
// it from being sent: ten results of ten kilobytes each are too much.
export const shortened = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text
