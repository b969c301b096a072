// One finding of `bowerbird doctor`.
export interface Finding {
  /** What was checked: a part of the instance or a setting. */
  about: string
  state: 'ok' | 'warning' | 'broken' | 'not tried'
  /** A sentence without addresses, keys or anything else that is secret. */
  detail: string
  /** What to do about it. */
  advice: string | null
}

export const isFine = (about: string, detail: string): Finding => ({ about, state: 'ok', detail, advice: null })

export const isDoubtful = (about: string, detail: string, advice: string): Finding => ({
  about,
  state: 'warning',
  detail,
  advice,
})

export const isBroken = (about: string, detail: string, advice: string): Finding => ({
  about,
  state: 'broken',
  detail,
  advice,
})

export const isUntried = (about: string, detail: string): Finding => ({
  about,
  state: 'not tried',
  detail,
  advice: null,
})
