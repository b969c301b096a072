// Cases that a table can't express, because its clock is fixed at noon.
import { expect, it } from 'vitest'
import { answerAlone } from '../answer-alone.test-rules.ts'
import { moonPhase } from './moon-phase.ts'

it('today’s phase and illumination are the same for every wording of the query', async () => {
  const now = Date.parse('2026-11-15T03:00:00Z')
  const asked = [
    'moon phase',
    'moon phase today',
    'moon phase tonight',
    'next full moon',
    'fase lunar hoy',
    'mondphase',
  ]
  const moons = await Promise.all(asked.map((text) => answerAlone(moonPhase, text, { now })))
  expect(new Set(moons.map((moon) => JSON.stringify([moon?.['phase'], moon?.['illumination']])))).toEqual(
    new Set(['["waxing_crescent",0.283]']),
  )
})

it('another day is computed at noon', async () => {
  const noon = await answerAlone(moonPhase, 'moon phase today', { now: Date.parse('2026-11-20T12:00:00Z') })
  const ahead = await answerAlone(moonPhase, 'moon phase 2026-11-20', { now: Date.parse('2026-11-15T03:00:00Z') })
  expect(ahead?.['illumination']).toBe(noon?.['illumination'])
})
