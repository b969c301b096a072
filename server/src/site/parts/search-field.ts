// The search field: a plain GET form. The script adds suggestions below it, so it has the attributes of a combobox only
// once the script runs.
import { type Html, html } from '../http/html.ts'
import type { PageContext, SearchBar } from '../http/page.ts'
import { areSuggestionsOn } from '../suggestions.ts'

interface FieldWishes {
  isLarge?: boolean
  id?: string
}

export function searchField(context: PageContext, bar?: SearchBar, { isLarge = false, id }: FieldWishes = {}): Html {
  const { frame, search } = context.words
  const tab = bar?.tab ?? 'web'
  const kept = Object.entries(bar?.keep ?? {}).filter(([name]) => name !== 'tab')
  const action = tab === 'maps' ? '/maps' : tab === 'translate' ? '/translate' : '/search'
  const suggests = tab !== 'translate' && areSuggestionsOn(context)
  return html`<form class="search-field${isLarge && ' search-field-large'}"${id && html` id="${id}"`} role="search" action="${action}" data-suggest="${suggests && search.suggestions}">
<input type="search" name="q" value="${bar?.text}" aria-label="${frame.searchLabel}" placeholder="${isLarge && frame.searchLabel}" maxlength="500" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search"${isLarge && html` autofocus`} required>
${action === '/search' && tab !== 'web' && html`<input type="hidden" name="tab" value="${tab}">`}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${frame.search}</button>
</form>`
}
