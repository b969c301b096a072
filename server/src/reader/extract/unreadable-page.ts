// Why a page could not be read. A reason is shown to the caller, so it says nothing about where the page is.

export type UnreadableReason = 'too_large' | 'too_complex' | 'not_text' | 'no_content'

export class UnreadablePage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`the page is unreadable: ${reason}`, options)
    this.reason = reason
  }
}
