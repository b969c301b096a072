// Reads a text file in `data/` that has one row a line, without its comments.
import { readFile } from 'node:fs/promises'

export async function readTable(name: string): Promise<string[]> {
  const text = await readFile(new URL(`../data/${name}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
