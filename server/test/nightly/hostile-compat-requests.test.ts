// Every hostile body for each compatible API; `spec/hostile-compat-requests.test.ts` sends some of them for every change.
import { describe } from 'vitest'
import { describeHostileRequests } from '../support/hostile-requests.ts'

describe('a compatible API', () => describeHostileRequests(1))
