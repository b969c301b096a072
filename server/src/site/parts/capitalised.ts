// A text with a capital at its beginning, for words of others that become labels of ours.
export const capitalised = (text: string, locale?: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
