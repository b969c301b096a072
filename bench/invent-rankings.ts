// Writes bench/data/invented-rankings.json: five invented systems of different skill answer twelve invented questions.
// Each system sees every document's grade through its own noise and lists the twenty that look best to it. The seed is
// fixed, so the file is the same every time; `server/test/ranking.test.ts` fails when it is not.
import { writeFile } from 'node:fs/promises'
import { seededRandom } from '../server/src/search/calibration/seeded-random.ts'
import { INVENTED_RANKINGS, type JudgedFile } from './judged-runs.ts'

const SEED = 20_260_115
const TOPICS = 12
const DOCUMENTS = 60
const DEPTH = 20
const IDEAL_DEPTH = 10
/** How clearly each system tells relevant from irrelevant: a grade is worth this much against noise from 0 to 1. */
const SKILLS = { alder: 1.5, birch: 1.4, cedar: 1.3, dogwood: 1, elm: 0.6 }

export function inventRankings(): JudgedFile {
  const random = seededRandom(SEED)
  const runs = Object.keys(SKILLS)
  const topics = Array.from({ length: TOPICS }, (_, index) => {
    const grades = Array.from({ length: DOCUMENTS }, () => gradeOf(random()))
    const rankings = Object.entries(SKILLS).map(([run, skill]) => [run, rank(grades, skill, random)] as const)
    return {
      id: String(index + 1),
      documents: grades.map((_, place) => `${index + 1}-${place + 1}`),
      grades,
      ideal: grades.toSorted((one, other) => other - one).slice(0, IDEAL_DEPTH),
      rankings: Object.fromEntries(rankings),
    }
  })
  return { source: 'Invented rankings: they test the benchmark, not the merge', runs, topics }
}

/** Few documents are relevant, and few of those highly. */
function gradeOf(chance: number): number {
  if (chance < 0.06) return 2
  return chance < 0.2 ? 1 : 0
}

function rank(grades: readonly number[], skill: number, random: () => number): number[] {
  const seen = grades.map((grade, place) => ({ place, score: grade * skill + noise(random) }))
  return seen
    .sort((one, other) => other.score - one.score)
    .slice(0, DEPTH)
    .map(({ place }) => place)
}

/** Approximately normal, with mean 0 and deviation 1. */
const noise = (random: () => number): number => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one) - 6

if (import.meta.main) await writeFile(INVENTED_RANKINGS, `${JSON.stringify(inventRankings())}\n`)
