// Counts a text while it is written, as `text-counter-tool.ts` does on the server; the text goes nowhere.
const countsOf = (text, lang) => {
  const segments = (granularity) => Array.from(new Intl.Segmenter(lang, { granularity }).segment(text))
  return {
    characters: segments('grapheme').length,
    words: segments('word').filter(({ isWordLike }) => isWordLike).length,
    sentences: segments('sentence').filter(({ segment }) => segment.trim() !== '').length,
    lines: text === '' ? 0 : text.split('\n').length,
    bytes: new TextEncoder().encode(text).length,
  }
}

const timeToRead = (words, wordsPerMinute, lang) => {
  const minutes = words / wordsPerMinute
  const unit = minutes < 1 ? 'second' : 'minute'
  const format = new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 })
  return format.format(minutes < 1 ? minutes * 60 : minutes)
}

for (const tool of document.querySelectorAll('[data-tool=text-counter]')) {
  const { locale } = tool.dataset
  const text = tool.querySelector('textarea')
  const number = new Intl.NumberFormat(locale)
  const fields = tool.querySelectorAll('[data-count-of]')
  let waiting = 0
  const count = () => {
    const counts = countsOf(text.value, locale)
    const { wordsPerMinute } = tool.querySelector('form').dataset
    for (const field of fields) {
      const { countOf } = field.dataset
      field.textContent =
        countOf === 'reading' ? timeToRead(counts.words, wordsPerMinute, locale) : number.format(counts[countOf])
    }
  }
  // A book takes longer to count than a key to press.
  text.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = setTimeout(count, text.value.length > 20_000 ? 300 : 0)
  })
  count()
}
