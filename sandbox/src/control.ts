// The sandbox's remote control, for tests and benchmarks that run it as a separate process: `GET /control/calls`,
// `POST /control/faults` with `{"brave": {"kind": "hang"}, "mojeek": null}`, `POST /control/reset`. The counts include
// all calls, whatever their number and outcome.
import type { Fault } from './fault.ts'
import { isRecord } from './is-record.ts'
import { parseFault } from './parse-fault.ts'

export interface Counts {
  calls: number
  /** Calls that exceeded the rate of `banAbove`. */
  rateLimitViolations: number
  maxConcurrent: number
}

export interface Controls {
  slugs: readonly string[]
  counts(slug: string): Counts
  setFault(slug: string, fault: Fault | undefined): void
  reset(): void
}

export interface ControlReply {
  status: number
  json: unknown
}

export function control(method: string, path: string, given: { body: string; controls: Controls }): ControlReply {
  const { body, controls } = given
  switch (`${method} ${path}`) {
    case 'GET /calls':
      return { status: 200, json: Object.fromEntries(controls.slugs.map((slug) => [slug, controls.counts(slug)])) }
    case 'POST /reset':
      controls.reset()
      return { status: 200, json: {} }
    case 'POST /faults':
      return setFaults(body, controls)
    default:
      return { status: 404, json: { detail: 'use GET /control/calls, POST /control/faults or POST /control/reset' } }
  }
}

/** Sets all of them or, if one is wrong, none. */
function setFaults(body: string, controls: Controls): ControlReply {
  const faults: [slug: string, fault: Fault | undefined][] = []
  try {
    const given: unknown = JSON.parse(body)
    if (!isRecord(given)) throw new Error('send an object: provider → fault or null')
    for (const [slug, fault] of Object.entries(given)) {
      if (!controls.slugs.includes(slug))
        throw new Error(`no provider ${slug}; use one of ${controls.slugs.join(', ')}`)
      faults.push([slug, fault === null ? undefined : parseFault(fault)])
    }
  } catch (error) {
    return { status: 400, json: { detail: error instanceof Error ? error.message : String(error) } }
  }
  for (const [slug, fault] of faults) controls.setFault(slug, fault)
  return { status: 200, json: {} }
}
