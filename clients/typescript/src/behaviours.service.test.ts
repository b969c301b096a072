// The table of behaviours that this client shares with the Python client.
import { describe, expect, it, onTestFinished } from 'vitest'
import { Bowerbird, BowerbirdError, type Meta, UnreadablePageError } from './bowerbird.ts'
import {
  type Behaviour,
  type Expected,
  readBehaviours,
  startScriptedInstance,
} from './scripted-instance.test-harness.ts'

const KEY = 'bowerbird_test.secret'

interface Outcome {
  result?: unknown
  meta?: Meta | undefined
  events?: unknown[]
  pages?: number[]
  error?: unknown
}

const metaOf = (reply: unknown): Meta | undefined => (reply as { meta?: Meta } | null)?.meta

/** Makes the call of a row, and collects what it returned before it ended or threw. */
async function perform(bowerbird: Bowerbird, call: Expected, outcome: Outcome): Promise<void> {
  if (call['method'] === 'stream') {
    outcome.events = []
    for await (const event of bowerbird.stream(call['tab'], call['params'])) {
      outcome.events.push(event)
      if (event.event === 'done') outcome.meta = event.body.meta
    }
  } else if (call['method'] === 'pages') {
    outcome.pages = []
    const options = call['max_pages'] === undefined ? {} : { maxPages: call['max_pages'] }
    for await (const page of bowerbird.pages(call['tab'], call['params'], options)) {
      outcome.pages.push(page.results.length)
    }
  } else {
    const method = call['method'] as 'web' | 'instant' | 'translate' | 'read'
    outcome.result = await bowerbird[method](call['params'])
    outcome.meta = metaOf(outcome.result)
  }
}

const tableMeta = ({ requestId, searchStatus, engines, blocked, rateLimit }: Meta) => ({
  request_id: requestId,
  search_status: searchStatus ?? null,
  engines,
  ...(blocked > 0 && { blocked }),
  rate_limit: rateLimit,
})

const tableError = (error: BowerbirdError) => ({
  type: error.name,
  status: error.status ?? null,
  code: error.code,
  message: error.message,
  detail: error.detail,
  errors: error.errors,
  retry_after: error.retryAfter ?? null,
  request_id: error.requestId,
  meta: tableMeta(error.meta),
  ...(error instanceof UnreadablePageError && { reason: error.reason, page_status: error.pageStatus ?? null }),
})

function holdAgainst(expected: Expected, { error, meta, ...outcome }: Outcome): void {
  if (expected['error'] === undefined) expect(error).toBeUndefined()
  else {
    expect(error).toBeInstanceOf(BowerbirdError)
    const { message, ...rest } = expected['error']
    expect(tableError(error as BowerbirdError)).toMatchObject({ ...rest, ...(message && { message }) })
  }
  for (const name of ['result', 'events', 'pages'] as const) {
    if (name in expected) expect(outcome[name]).toEqual(expected[name])
  }
  if ('meta' in expected) expect(meta && tableMeta(meta)).toEqual(expected['meta'])
}

async function run({ client = {}, call, replies, expect: expected }: Behaviour): Promise<void> {
  const instance = await startScriptedInstance(replies)
  onTestFinished(() => instance.close())
  const started = performance.now()
  const outcome: Outcome = {}
  try {
    const bowerbird = new Bowerbird({
      url: client.url ?? instance.url,
      key: client.key ?? KEY,
      timeoutMs: (client.timeout ?? 20) * 1000,
      ...(client.max_retries !== undefined && { maxRetries: client.max_retries }),
    })
    await perform(bowerbird, call, outcome)
  } catch (error) {
    outcome.error = error
  }
  const seconds = (performance.now() - started) / 1000
  expect(instance.received.map(({ line }) => line)).toEqual(expected['requests'])
  const shown = `${String(outcome.error)} ${JSON.stringify(outcome.error)}`
  expect([KEY, 'Host: evil'].filter((secret) => shown.includes(secret))).toEqual([])
  if (expected['refused'] === true) return expect(outcome.error).toBeInstanceOf(TypeError)
  holdAgainst(expected, outcome)
  const [last] = instance.received.slice(-1)
  if ('seconds' in expected) expect(seconds).toBeGreaterThanOrEqual(expected['seconds'] - 0.01)
  if ('sent' in expected) expect(JSON.parse(last?.body ?? '')).toEqual(expected['sent'])
  for (const name of ['authorization', 'accept']) {
    if (name in expected) expect(last?.headers[name]).toBe(expected[name])
  }
}

describe('behaviours of both clients', () => {
  const behaviours = readBehaviours()

  it('the table has rows', () => {
    expect(behaviours.length).toBeGreaterThan(50)
  })

  it.each(behaviours)('$name', run)
})
