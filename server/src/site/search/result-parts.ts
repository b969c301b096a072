// Parts that results of several tabs share: the address line, the engine dots with "why here", and pictures.
import type { MergedHit } from '../../search/merge.ts'
import { relativeAge } from '../../text/durations.ts'
import { type Html, html, type Piece } from '../http/html.ts'
import type { PictureKind } from '../site-services.ts'
import { listed, type Presenting } from './result-view-options.ts'
import { shownAddress } from './shown-address.ts'

/** Icon, host › path. The address is always left to right. */
export function where(address: string, icon: string, presenting: Pick<Presenting, 'pictures' | 'showsIcons'>): Html {
  const { host, path } = shownAddress(address)
  return html`<p class="where">${iconOf(icon || `https://${host}/favicon.ico`, host, presenting)}<cite dir="ltr"><b>${host}</b>${path !== '' && ` › ${path}`}</cite></p>`
}

/** Fetching an icon would tell a site that it was found before anyone opens it, so the operator decides. */
function iconOf(
  address: string,
  host: string,
  { pictures, showsIcons }: Pick<Presenting, 'pictures' | 'showsIcons'>,
): Html {
  const source = showsIcons && pictures?.signedPath(address, 'icon')
  if (source) return html`<img class="icon" src="${source}" alt="" width="16" height="16" loading="lazy">`
  return html`<span class="icon" aria-hidden="true">${letterOf(host)}</span>`
}

/** A picture, or the first letter of its title in a square if there is none to show. */
export function pictureOf(address: string, title: string, { pictures, kind }: PictureWishes): Html {
  const source = address === '' ? '' : pictures?.signedPath(address, kind)
  if (source) return html`<img class="picture" src="${source}" alt="" loading="lazy">`
  return html`<span class="picture letter" aria-hidden="true">${letterOf(title)}</span>`
}

interface PictureWishes {
  pictures: Presenting['pictures']
  kind: PictureKind
}

const LETTER = /[\p{L}\p{N}]/u

const letterOf = (text: string): string => (LETTER.exec(text)?.[0] ?? '·').toUpperCase()

/** Age, other facts, and the dots. */
export function meta(
  merged: MergedHit<{ publishedAt?: number | undefined }>,
  facts: readonly Piece[],
  presenting: Presenting,
): Html {
  const age = relativeAge(merged.hit.publishedAt, presenting.now, presenting.locale)
  const told = [age, ...facts].filter(Boolean)
  return html`<div class="meta"><div>${told.map((fact) => html`<span>${fact}</span>`)}${why(merged, presenting)}</div></div>`
}

/** One dot for each engine of the tab, filled if it returned the result. Expands to what each one contributed. */
export function why({ slots, contributions, score }: Omit<MergedHit<unknown>, 'hit'>, presenting: Presenting): Html {
  const { engines, words, locale } = presenting
  // If a slot has two providers, name only those that returned the result.
  const names = listed([...new Set(contributions.map(({ name }) => name))], locale)
  const number = numbersOf(locale)
  const told = contributions.map(
    ({ name, rank, addition }) =>
      html`<tr><th scope="row">${name}</th><td>${words.why.rank(rank)}</td><td>+${number.format(addition)}</td></tr>`,
  )
  return html`<details class="why"><summary title="${names}"><span class="visually-hidden">${words.foundBy(names)}</span>${engines.map(({ slot }) => (slots.includes(slot) ? FILLED : HOLLOW))}</summary><table>${told}<tr><th scope="row" colspan="2">${words.why.score}</th><td>${number.format(score)}</td></tr></table></details>`
}

const FILLED = html`<i class="dot on"></i>`
const HOLLOW = html`<i class="dot"></i>`

const numbers = new Map<string, Intl.NumberFormat>()

function numbersOf(locale: string): Intl.NumberFormat {
  const format = numbers.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 4 })
  numbers.set(locale, format)
  return format
}
