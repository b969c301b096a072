// What every invented thing that can be found has in common, whether page, picture, story or video.

export interface Entry {
  /** Its rank in the universe. Gaps are allowed, and wide ones keep engines from mixing what lies on either side. */
  place: number
  /** Always under a reserved name, so that no real site is ever named. */
  host: string
  /** `undefined`: without a date. */
  ageHours: number | undefined
  isAdult: boolean
}
