// One instance for all test files of a worker that only send requests: they need no settings, set no faults, count no
// calls and send few wrong keys. Each file has a user with a key. It ends with the worker, and its database with the
// run.
import { beforeAll, inject } from 'vitest'
import { WITHOUT_RATE_LIMIT } from '../spec/without-upstream-rate-limit.ts'
import { dropWithRun } from './temporary-folder.ts'
import { addUser, startTestInstance, type TestInstance } from './test-instance.ts'

export interface SharedInstance extends Omit<TestInstance, 'close'> {
  username: string
}

let starting: Promise<TestInstance> | undefined
let users = 0

export async function shareInstance(): Promise<SharedInstance> {
  starting ??= startTestInstance({ ...WITHOUT_RATE_LIMIT, URL_KEYS: 'on' }).then((instance) => {
    dropWithRun(inject('temporaryFolder'), instance.databaseUrl)
    return instance
  })
  const { close: _, ...shared } = await starting
  users += 1
  const username = `reader-${users}`
  return { ...shared, ...(await addUser(shared.instance, username)), username }
}

/** For the tests of a file; its members can be read in tests and hooks. */
export function useSharedInstance(): SharedInstance {
  const shared: Partial<SharedInstance> = {}
  beforeAll(async () => void Object.assign(shared, await shareInstance()))
  return shared as SharedInstance // complete once the hook has run, before which no test reads it
}
