// Invented pictures, stories and videos, shared by all engines. Each composes its text only when shown.
import type { Entry } from './entry.ts'

export interface Licence {
  /** As abbreviated by Creative Commons: `by-sa`, `cc0`. */
  code: string
  version: string
}

interface PictureText {
  /** The path of the page that shows it. */
  path: string
  title: string
  creator: string
  tags: readonly string[]
}

export interface Picture extends Entry {
  ageHours: number
  siteName: string
  width: number
  height: number
  licence: Licence
  write(): PictureText
}

interface StoryText {
  path: string
  title: string
  sentences: readonly string[]
  author: string
}

export interface Story extends Entry {
  ageHours: number
  publisher: string
  write(): StoryText
}

interface VideoText {
  path: string
  title: string
  sentences: readonly string[]
  channel: string
}

export interface Video extends Entry {
  ageHours: number
  /** The site it is on. */
  platform: string
  seconds: number
  write(): VideoText
}
