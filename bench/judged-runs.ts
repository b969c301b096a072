// Reads a file of judged rankings: several systems' answers to the same questions, with every document graded by
// people. bench/README.md describes the format. The set in the repository is invented; real sets may not be
// redistributed, so anyone who has one names its file. A file that breaks the format is refused, because a measurement
// on half of it would look like any other.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { WebHit } from '@bowerbird/engines/engine.ts'

export const INVENTED_RANKINGS = resolve(import.meta.dirname, 'data/invented-rankings.json')

/** The merge is measured on every three of the runs. */
const FEWEST_RUNS = 3
const FEWEST_TOPICS = 4

/** A document: its URL, and how relevant people found it (0, 1, 2 …). */
export interface JudgedHit {
  url: string
  grade: number
}

/** The documents as input of the merge. */
export const toHits = (judged: readonly JudgedHit[]): WebHit[] =>
  judged.map(({ url }) => ({
    kind: 'web',
    title: '',
    url,
    description: '',
    faviconUrl: '',
    publishedAt: undefined,
    sitelinks: [],
  }))

/** Grades in the order of a merge. */
export const gradesOf = ({ grades }: JudgedTopic, merged: readonly { hit: { url: string } }[]): number[] =>
  merged.map(({ hit }) => grades.get(hit.url) ?? 0)

export interface JudgedTopic {
  id: number
  /** The grades of the ten best documents. */
  ideal: number[]
  /** The first results of each system, in the order of `runs`. */
  rankings: JudgedHit[][]
  /** By URL. */
  grades: ReadonlyMap<string, number>
}

export interface JudgedRuns {
  source: string
  runs: string[]
  topics: JudgedTopic[]
}

export interface JudgedFile {
  source: string
  runs: string[]
  topics: JudgedFileTopic[]
}

interface JudgedFileTopic {
  id: string
  documents: string[]
  grades: number[]
  ideal: number[]
  /** Keyed by run: indices into `documents`, best first. */
  rankings: Record<string, number[]>
}

export function readJudgedRuns(file: string): JudgedRuns {
  try {
    // Anything missing in the file fails a check below, or is a TypeError rethrown with the file's name.
    return judgedRunsOf(JSON.parse(readFileSync(file, 'utf8')) as JudgedFile)
  } catch (cause) {
    throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

export function judgedRunsOf({ source, runs, topics }: JudgedFile): JudgedRuns {
  if (runs.length < FEWEST_RUNS) throw new Error(`Has ${runs.length} runs; at least ${FEWEST_RUNS} are needed.`)
  const read = topics.map((topic) => judgedTopicOf(topic, runs))
  // Weights are learned on one half and tested on the other.
  if (read.length < FEWEST_TOPICS) throw new Error(`Has ${read.length} topics; at least ${FEWEST_TOPICS} are needed.`)
  return { source, runs, topics: read }
}

function judgedTopicOf({ id, documents, grades, ideal, rankings }: JudgedFileTopic, runs: string[]): JudgedTopic {
  const number = Number(id)
  if (!Number.isInteger(number) || number < 0) throw new Error(`Topic ${id}: the id must be a whole number.`)
  if (grades.length !== documents.length) {
    throw new Error(`Topic ${id}: ${documents.length} documents, but ${grades.length} grades.`)
  }
  // A grade below 0 means that the document was not judged.
  const hits = documents.map((name, place) => ({
    url: `https://d.example/${name}`,
    grade: Math.max(0, grades[place] ?? 0),
  }))
  const ranked = (run: string): JudgedHit[] => {
    const places = rankings[run]
    if (!places) throw new Error(`Topic ${id}: no ranking by ${run}.`)
    return places.map((place) => {
      const hit = hits[place]
      if (!hit) throw new Error(`Topic ${id}: ${run} names document ${place}, but there are ${hits.length}.`)
      return hit
    })
  }
  const byUrl = new Map(hits.map(({ url, grade }) => [url, grade]))
  return { id: number, ideal, rankings: runs.map(ranked), grades: byUrl }
}
