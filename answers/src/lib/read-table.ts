// Reads a table from `data/`: a text file with one row per line. Comments and empty lines are left out.
import { readFile } from 'node:fs/promises'

export async function readTable(name: string): Promise<string[]> {
  const text = await readFile(new URL(`../data/${name}`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}
