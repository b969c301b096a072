// Calculators and converters whose results the server works out: the page is fetched with what is in the form, and its
// results are put in place. A converter does so while one types, the calculator when asked to.
const CONVERTER_WAIT_MS = 200

for (const form of document.querySelectorAll('form[data-converter]')) {
  const tool = form.closest('[data-tool]')
  const history = tool.querySelector('[data-history]')
  const isLive = form.dataset.converter === 'input'
  let waiting = 0
  let latest

  /** What is being changed here stays as it is; other fields follow, as the written colour follows the picked one. */
  const put = (reply) => {
    for (const output of tool.querySelectorAll('[data-output]')) {
      const next = reply.querySelector(`[data-output="${output.dataset.output}"]`)
      output.replaceChildren(...(next ? next.childNodes : []))
    }
    for (const field of tool.querySelectorAll('input[id]')) {
      const next = reply.querySelector(`#${field.id}`)
      if (next && !form.contains(field)) field.value = next.value
    }
  }

  const remember = () => {
    const [question, value] = tool.querySelectorAll('[data-output] :is(.answer-question, .answer-value)')
    if (!value) return
    const item = document.createElement('li')
    item.dir = 'ltr'
    item.textContent = `${question.textContent} ${value.textContent}`
    history.prepend(item)
  }

  const update = async () => {
    clearTimeout(waiting)
    if (!form.checkValidity()) return
    const address = `${form.action}?${new URLSearchParams(new FormData(form))}`
    latest = address
    const answer = await fetch(address)
    const text = await answer.text()
    // Something else may have been typed meanwhile.
    if (address !== latest) return
    // A session that ended leads to the page for signing in.
    if (!answer.ok || answer.redirected) throw new Error('no answer')
    if (history) remember()
    put(new DOMParser().parseFromString(text, 'text/html'))
    if (form.action === location.origin + location.pathname) window.history.replaceState(null, '', address)
  }
  // Without an answer the form is sent, and the page says what is wrong.
  const updateOrSend = () => void update().catch(() => form.submit())

  if (isLive) {
    form.addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => void update().catch(() => undefined), CONVERTER_WAIT_MS)
    })
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (event.submitter?.matches('[data-swap]')) {
      const { from, to } = form.elements
      ;[from.value, to.value] = [to.value, from.value]
    }
    updateOrSend()
    if (!isLive) form.elements[0].select()
  })

  const sum = form.elements.sum
  form.addEventListener('click', ({ target }) => {
    const key = target.closest('button')?.dataset
    if (!key || !sum) return
    if ('keyInsert' in key) sum.setRangeText(key.keyInsert, sum.selectionStart, sum.selectionEnd, 'end')
    else if ('keyClear' in key) sum.value = ''
    else if ('keyBack' in key) {
      const [start, end] = [sum.selectionStart, sum.selectionEnd]
      sum.setRangeText('', start === end ? Math.max(0, start - 1) : start, end, 'end')
    }
  })
}
