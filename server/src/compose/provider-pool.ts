// Keeps providers open across changes of settings. One whose settings stay the same keeps its connections, its circuit
// breaker and its rate limit; one whose settings have changed is opened anew. What is no longer wanted is closed once its
// calls are done: a search that was planned before the change may still be about to call it.

interface Closable {
  isIdle: () => boolean
  close: () => Promise<void>
}

export interface ProviderPool<Provider> {
  /**
   * By what identifies a provider together with all of its settings: how to open it. Returns the providers in the same
   * order. If one can't be opened, nothing has changed.
   */
  replace: (wanted: ReadonlyMap<string, () => Provider>) => Provider[]
  /** Closes all of them immediately. */
  close: () => Promise<void>
}

/** No search, translation or health check takes longer. */
const RETIRE_AFTER_MS = 60_000
/** If one is still calling then. */
const RETRY_CLOSE_MS = 10_000

export function createProviderPool<Provider extends Closable>(retireAfterMs = RETIRE_AFTER_MS): ProviderPool<Provider> {
  let open = new Map<string, Provider>()
  const retired = new Map<Provider, NodeJS.Timeout>()

  function retire(provider: Provider, afterMs: number): void {
    const timer = setTimeout(() => {
      if (!provider.isIdle()) return retire(provider, RETRY_CLOSE_MS)
      retired.delete(provider)
      void provider.close()
    }, afterMs)
    retired.set(provider, timer.unref())
  }

  return {
    replace(wanted) {
      const next = new Map([...wanted].map(([identity, openNow]) => [identity, open.get(identity) ?? openNow()]))
      for (const [identity, provider] of open) if (!next.has(identity)) retire(provider, retireAfterMs)
      open = next
      return [...next.values()]
    },
    async close() {
      for (const timer of retired.values()) clearTimeout(timer)
      await Promise.all([...open.values(), ...retired.keys()].map((provider) => provider.close()))
    },
  }
}
