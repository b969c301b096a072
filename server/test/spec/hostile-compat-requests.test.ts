// Some hostile bodies for each compatible API. `nightly/hostile-compat-requests.test.ts` sends all of them.
import { describe } from 'vitest'
import { describeHostileRequests } from '../support/hostile-requests.ts'

describe('a compatible API', () => describeHostileRequests(7))
