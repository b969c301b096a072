// GET /imprint and /privacy: what the operator has written, for everyone, in the languages that they wrote it in. Without a
// text there is no such page.
import { z } from 'zod'
import type { Appearance } from '../../settings/appearance.ts'
import { PageError } from '../http/error-pages.ts'
import { type Html, html } from '../http/html.ts'
import { definePage, type PageContext } from '../http/page.ts'
import { addressOf } from '../parts/address.ts'
import { blockView } from '../reading/block-view.ts'
import { blocksOfText, versionFor } from './operator-text.ts'

type OperatorPage = keyof Pick<Appearance, 'imprint' | 'privacy'>

const PageOfQuery = z.object({ lang: z.string().max(35).catch('') })

const pageOf = (name: OperatorPage) =>
  definePage({
    method: 'GET',
    path: `/${name}`,
    access: 'anyone',
    query: PageOfQuery,
    handle(context) {
      const { words, locale, query, appearance } = context
      const version = versionFor(appearance[name], [query.lang, locale])
      if (!version) throw new PageError('notFound')
      const title = words.appearance.pages[name]
      const text = blockView(blocksOfText(version.text), { pictures: undefined, newTab: false, words: words.reading })
      const language = version.lang !== '' && html` lang="${version.lang}" dir="auto"`
      return {
        title,
        body: html`<article class="reading"><header><h1>${title}</h1>${otherLanguages(context, name, version.lang)}</header><div class="read-text"${language}>${text}</div></article>`,
      }
    },
  })

export const operatorPages = [pageOf('imprint'), pageOf('privacy')]

/** Each by its own name. */
function otherLanguages({ appearance }: PageContext, name: OperatorPage, shown: string): Html | false {
  const others = appearance[name].filter(({ lang }) => lang !== '' && lang !== shown)
  return (
    others.length > 0 &&
    html`<p class="quiet">${others.map(({ lang }) => html`<a href="${addressOf(`/${name}`, { lang })}" lang="${lang}" hreflang="${lang}">${nameOf(lang)}</a> `)}</p>`
  )
}

const nameOf = (lang: string): string => new Intl.DisplayNames(lang, { type: 'language' }).of(lang) ?? lang
