// Types for packages that ship without any, for the parts that we use.
declare module 'unicode-name' {
  /** `undefined`: the character has no name. */
  export function unicodeReadableName(character: string): string | undefined
  /** The name of an emoji made of several code points. */
  export function unicodeSequenceName(characters: string): string | undefined
}
