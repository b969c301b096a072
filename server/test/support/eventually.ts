import { setTimeout as sleep } from 'node:timers/promises'

const ASK_EVERY_MS = 100

/** Polls until the condition holds; false if it never did in time. */
export async function eventually(holds: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  const patientUntil = performance.now() + patienceMs
  do {
    if (await holds()) return true
    await sleep(ASK_EVERY_MS)
  } while (performance.now() < patientUntil)
  return false
}
