// An image board: one HTML page of pictures on a subject, each linked to the page it's from.
//
//   node image-board.mjs 'oak bark' > board.html
//
// Who opens the page loads the thumbnails from where they are. To keep their addresses private, show the board on your
// own site behind a proxy for pictures, as the website of Bowerbird does.
import { Bowerbird } from '@bowerbird/client'

const subject = process.argv[2] ?? 'climate'
const { BOWERBIRD_URL: url = '', BOWERBIRD_KEY: key = '' } = process.env
const MOST = 40

const bowerbird = new Bowerbird({ url, key })
const { results } = await bowerbird.images(subject)
const [first] = results
// More like the best one; without one there's nothing to be like.
const more =
  first && (await bowerbird.similarImages({ q: first.title, query: subject, exclude_url: first.url })).results
const images = [...new Map([...results, ...(more ?? [])].map((image) => [image.url, image])).values()].slice(0, MOST)

/** Titles and addresses are other people's text. @param {string} text */
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
/** @param {string} address */
const isWeb = (address) => /^https?:\/\//i.test(address)

const figures = images
  .filter(({ url, thumbnail }) => isWeb(url) && isWeb(thumbnail))
  .map(
    ({ title, url, source, thumbnail }) => `<figure>
  <a href="${escapeHtml(url)}" rel="noreferrer"><img src="${escapeHtml(thumbnail)}" alt="${escapeHtml(title)}" loading="lazy" referrerpolicy="no-referrer"></a>
  <figcaption>${escapeHtml(title)} <small>${escapeHtml(source)}</small></figcaption>
</figure>`,
  )

console.log(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src https: http:; style-src 'unsafe-inline'">
<title>${escapeHtml(subject)}</title>
<style>
  body { font: 1rem/1.4 system-ui; margin: 1.5rem; color-scheme: light dark }
  main { columns: 16rem; column-gap: 1rem }
  figure { break-inside: avoid; margin: 0 0 1rem }
  img { width: 100%; border-radius: .4rem; background: #8882; min-height: 8rem }
  small { opacity: .7 }
</style>
<h1>${escapeHtml(subject)}</h1>
<main>
${figures.join('\n')}
</main>
</html>`)
