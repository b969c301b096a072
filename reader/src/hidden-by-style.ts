// Whether an inline style keeps an element's text from being seen: how a page shows a text to programs only. Style sheets
// aren't read, so what they hide is not noticed.

/** Lower-case names and values. */
function declarationsIn(style: string): Map<string, string> {
  const declarations = style.toLowerCase().replaceAll('!important', '').split(';')
  return new Map(
    declarations.map((declaration) => {
      const colon = declaration.indexOf(':')
      return [declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()]
    }),
  )
}

/** Moved this far, in whatever unit, nothing is left on the screen. */
const FAR_AWAY = -500
const OFFSETS = ['left', 'right', 'top', 'bottom', 'text-indent', 'margin-left', 'margin-top']

export function isHiddenByStyle(style: string): boolean {
  const declarations = declarationsIn(style)
  const styled = (name: string): string => declarations.get(name) ?? ''
  const numberOf = (name: string): number => Number.parseFloat(styled(name))
  const color = styled('color')
  const isClipped = styled('overflow') === 'hidden' && (numberOf('width') <= 1 || numberOf('height') <= 1)
  return (
    styled('display') === 'none' ||
    ['hidden', 'collapse'].includes(styled('visibility')) ||
    numberOf('opacity') === 0 ||
    numberOf('font-size') === 0 ||
    OFFSETS.some((name) => numberOf(name) <= FAR_AWAY) ||
    isClipped ||
    color === 'transparent' ||
    (color !== '' && [styled('background'), styled('background-color')].includes(color))
  )
}
