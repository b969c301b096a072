// Wraps a provider call in a trace and reports its outcome.
import { UpstreamError } from '@bowerbird/engines/upstream-error.ts'
import type { Log } from '../log.ts'
import { traced } from '../trace.ts'

interface CallObserver {
  observe: (outcome: { ms: number; error: UpstreamError | undefined }) => void
  log: Log
}

/** Rejects with UpstreamError, and nothing else. */
export async function observeCall<T>(slug: string, { observe, log }: CallObserver, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const report = (error: UpstreamError | undefined) => observe({ ms: Math.round(performance.now() - started), error })
  try {
    const value = await traced(`provider ${slug}`, { provider: slug }, work)
    report(undefined)
    return value
  } catch (thrown) {
    const error = thrown instanceof UpstreamError ? thrown : new UpstreamError('malformed', 'the adapter failed')
    // Anything but an UpstreamError is a bug in the adapter: logged as an error, handled like a broken reply.
    if (error !== thrown) log.error({ err: thrown, provider: slug })
    report(error)
    throw error
  }
}
