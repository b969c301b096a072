// The fields that all invented entries share: pages, pictures, stories and videos.

export interface Entry {
  /** Its rank in the universe. Gaps are allowed; wide ones keep engines from mixing the entries on either side. */
  place: number
  /** Always under a reserved name, so that no real site appears. */
  host: string
  /** `undefined`: without a date. */
  ageHours: number | undefined
  isAdult: boolean
}
