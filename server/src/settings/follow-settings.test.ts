import { describe, expect, it } from 'vitest'
import { pass, simulateTime } from '../../../engines/test/simulated-time.ts'
import { Refusal } from '../errors.ts'
import { announceSettingsChange, createLocalChangeBus } from '../keys/key-changes.ts'
import { createLog } from '../log.ts'
import { followSettings } from './follow-settings.ts'
import type { StoredSettings } from './stored-settings.ts'

const EVERY_MS = 1_000

simulateTime()

/** A node, and a database that can be away. */
function start() {
  const changes = createLocalChangeBus()
  const stored = { version: 1, isAway: false, reads: 0 }
  const applied: number[] = []
  const lines: string[] = []
  const answer = async <Value>(value: Value): Promise<Value> => {
    if (stored.isAway) throw new Error('away')
    return value
  }
  const { catchUp, stop } = followSettings({
    store: {
      readVersion: () => answer(stored.version),
      read: () => {
        stored.reads++
        return answer<StoredSettings>({ version: stored.version, values: {}, secrets: [], unreadable: [] })
      },
    },
    changes,
    version: 1,
    apply: ({ version }) => {
      if (version === 13)
        throw new Refusal('parameter_invalid', 'ENGINE_B binds mojeek to web, but ENGINE_A already does.')
      applied.push(version)
    },
    log: createLog('error', { write: (line) => void lines.push(line) }),
    everyMs: EVERY_MS,
  })
  return { changes, stored, applied, lines, catchUp, stop }
}

describe('a node', () => {
  it('reads a change when it is announced, and not before', async () => {
    const { changes, stored, applied, stop } = start()
    await pass(0)
    expect([applied, stored.reads]).toEqual([[], 0])
    stored.version = 2
    announceSettingsChange(changes)
    await pass(0)
    expect(applied).toEqual([2])
    changes.publish('user:1')
    await pass(0)
    expect(stored.reads).toBe(1)
    await stop()
  })

  it('finds a change whose announcement was lost, and one that was made while the database was away', async () => {
    const { changes, stored, applied, stop } = start()
    stored.version = 2
    await pass(EVERY_MS * 1.2)
    expect(applied).toEqual([2])
    stored.isAway = true
    stored.version = 3
    announceSettingsChange(changes)
    await pass(EVERY_MS * 3)
    expect(applied).toEqual([2])
    stored.isAway = false
    await pass(EVERY_MS * 1.2)
    expect(applied).toEqual([2, 3])
    await stop()
  })

  it('keeps what it has if the newest has mistakes here, says so once, and takes the next', async () => {
    const { stored, applied, lines, stop } = start()
    stored.version = 13
    await pass(EVERY_MS * 3)
    expect([applied, stored.reads]).toEqual([[], 1])
    expect(lines).toEqual([expect.stringContaining('ENGINE_B binds mojeek to web, but ENGINE_A already does.')])
    stored.version = 14
    await pass(EVERY_MS * 1.2)
    expect(applied).toEqual([14])
    await stop()
  })

  it('a change that arrives while it reads is not missed, and whoever changed something can wait for it', async () => {
    const { stored, applied, catchUp, stop } = start()
    stored.version = 2
    const first = catchUp()
    stored.version = 3
    await Promise.all([first, catchUp()])
    expect(applied.at(-1)).toBe(3)
    await stop()
  })
})
