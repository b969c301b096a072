// The most expensive texts found so far, as recipes: one per line, with the name of its surface.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ALL_SURFACES } from './all.ts'
import type { Recipe } from './recipe.ts'

const FILE = join(import.meta.dirname, 'corpus.jsonl')

/** Recipes by surface, the worst first. */
export function readCorpus(): Map<string, Recipe[]> {
  const corpus = new Map<string, Recipe[]>()
  for (const line of readFileSync(FILE, 'utf8').split('\n').filter(Boolean)) {
    const { surface, recipe }: { surface: string; recipe: Recipe } = JSON.parse(line)
    corpus.set(surface, [...(corpus.get(surface) ?? []), recipe])
  }
  return corpus
}

/** Leaves out surfaces that no longer exist. */
export function writeCorpus(corpus: ReadonlyMap<string, readonly Recipe[]>): void {
  const lines = ALL_SURFACES.flatMap(({ name }) =>
    (corpus.get(name) ?? []).map((recipe) => `${JSON.stringify({ surface: name, recipe })}\n`),
  )
  writeFileSync(FILE, lines.join(''))
}
