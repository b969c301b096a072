// What we use of packages that come without types.
declare module 'unicode-name' {
  /** `undefined`: it has no name. */
  export function unicodeReadableName(character: string): string | undefined
  /** Of an emoji made of several code points. */
  export function unicodeSequenceName(characters: string): string | undefined
}

declare module 'mime-db' {
  const types: Record<string, { extensions?: readonly string[]; source?: string; compressible?: boolean }>
  export default types
}
