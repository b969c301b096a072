// A surface: code that reads what somebody else sends, with its size limit and what the worst text of that size may
// cost. docs/security/README.md has the same figures.

export interface Surface {
  name: string
  /** Before: nobody has proved anything yet. Reply, page: what comes from a provider, or from a page that is read. */
  when: 'before a key or session' | 'with a key or session' | 'reply' | 'page'
  /** The longest text, in bytes. */
  limit: number
  /** CPU milliseconds of its thread for the worst text. */
  boundMs: number
  /** It runs outside of the event loop, and is ended at its bound: a text may cost any amount, but must not throw. */
  isEndedByTime?: true
  /** The sources whose literals are tried in texts, and whose coverage is reported. */
  files: readonly string[]
  /** Ordinary texts to begin with. */
  seeds: readonly string[]
  /** Throws only for a bug. */
  load: () => Promise<Run>
  /** How a stranger would send the text. */
  request?: (text: string) => StrangeRequest
}

export type Run = (text: string) => unknown

export interface StrangeRequest {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export interface LoadedSurface extends Surface {
  run: Run
}

export const loadSurface = async (surface: Surface): Promise<LoadedSurface> => ({
  ...surface,
  run: await surface.load(),
})

/** Runs, and lets the errors of these kinds pass: they are answers. */
export function allowing(kinds: readonly (abstract new (...args: never[]) => Error)[], run: Run): Run {
  const settle = (error: unknown): void => {
    if (!kinds.some((kind) => error instanceof kind)) throw error
  }
  return (text) => {
    try {
      const result = run(text)
      return result instanceof Promise ? result.catch(settle) : result
    } catch (error) {
      return settle(error)
    }
  }
}
