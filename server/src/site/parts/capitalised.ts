// Capitalises the first letter, for third-party text that we use as a label.
export const capitalised = (text: string, locale?: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
