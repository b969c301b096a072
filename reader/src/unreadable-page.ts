// Why a page could not be read. The caller sees the reason, so it reveals nothing about where the page is.

export type UnreadableReason = 'too_large' | 'too_complex' | 'not_text' | 'no_content'

export class UnreadablePage extends Error {
  readonly reason: UnreadableReason

  constructor(reason: UnreadableReason, options?: ErrorOptions) {
    super(`the page is unreadable: ${reason}`, options)
    this.reason = reason
  }
}
