// Rankings of one set of questions by 16 real search systems, with every document graded by people: TREC 2003 Robust. The
// file is not part of the repository, so whoever asks for it must do without where it is absent.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FILE = resolve(import.meta.dirname, '../../shared/data/trec-robust-2003-top20.json')

/** A document as the merge takes it: its address, and how relevant people found it (0, 1 or 2). */
export interface JudgedHit {
  url: string
  grade: number
}

export interface JudgedTopic {
  id: number
  /** The grades of the best ten documents there are. */
  ideal: number[]
  /** The first 20 of each system, in the order of `runs`. */
  rankings: JudgedHit[][]
}

export interface JudgedRuns {
  runs: string[]
  topics: JudgedTopic[]
}

interface FileShape {
  runs: string[]
  /** `rankings` hold places in `documents`. */
  topics: { id: string; documents: string[]; grades: number[]; ideal: number[]; rankings: Record<string, number[]> }[]
}

export const hasJudgedRuns = (): boolean => existsSync(FILE)

export function readJudgedRuns(): JudgedRuns {
  const { runs, topics } = JSON.parse(readFileSync(FILE, 'utf8')) as FileShape // a fixed file of known shape
  return {
    runs,
    topics: topics.map(({ id, documents, grades, ideal, rankings }) => {
      const hits = documents.map((name, place) => ({ url: `https://d.example/${name}`, grade: grades[place] ?? 0 }))
      const ranked = (run: string) => (rankings[run] ?? []).flatMap((place) => hits[place] ?? [])
      return { id: Number(id), ideal, rankings: runs.map(ranked) }
    }),
  }
}
