// The files that follow from the operator's settings: the stylesheet with their colour, their logo, and the manifest that
// makes the site installable as an app.
//
// The stylesheet's address is the colour itself, so any node can answer it, whatever its own settings are by now. A logo has
// its version in its address; who asks for another version during a change gets the one in force.
import type { FastifyInstance } from 'fastify'
import type { Logo } from '../../settings/logo-file.ts'
import { OPEN } from '../../text/surface.ts'
import { APP_ICONS } from '../assets.ts'
import type { Site } from '../site.ts'
import { accentStylesheet } from './accent-colours.ts'

export const MANIFEST_PATH = '/manifest.webmanifest'
export const accentPath = (accent: string): string => `/assets/accent/${accent}.css`
export const logoPath = ({ version }: Logo): string => `/assets/logo/${version}`

const ACCENT_FILE = /^([\da-f]{6})\.css$/
/** An SVG opened by itself is a document: it gets an origin of its own, runs nothing and loads nothing. */
const LOGO_POLICY = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
const NOTHING = "default-src 'none'; frame-ancestors 'none'"

type Shown = Pick<Site, 'appearance' | 'instanceName'>

export function mountAppearance(http: FastifyInstance, site: () => Shown): void {
  const config = { surface: OPEN }
  http.get<{ Params: { file: string } }>('/assets/accent/:file', { config }, (request, reply) => {
    const accent = ACCENT_FILE.exec(request.params.file)?.[1]
    if (accent === undefined) return reply.callNotFound()
    return reply
      .headers({ 'Cache-Control': 'public, max-age=86400', 'Content-Security-Policy': NOTHING })
      .type('text/css; charset=utf-8')
      .send(accentStylesheet(accent))
  })
  http.get<{ Params: { version: string } }>('/assets/logo/:version', { config }, (request, reply) => {
    const { logo } = site().appearance
    if (!logo) return reply.callNotFound()
    const isCurrent = request.params.version === logo.version
    return reply
      .headers({
        'Cache-Control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
        'Content-Security-Policy': LOGO_POLICY,
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .type(logo.contentType)
      .send(logo.bytes)
  })
  http.get(MANIFEST_PATH, { config }, (_request, reply) =>
    reply
      .headers({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': NOTHING })
      .type('application/manifest+json; charset=utf-8')
      .send(JSON.stringify(manifestOf(site()))),
  )
}

/** What fits under an icon on a phone. */
const MAX_SHORT_NAME_LENGTH = 12

const manifestOf = ({ instanceName, appearance: { logo } }: Shown) => ({
  id: '/',
  name: instanceName,
  short_name: shortNameOf(instanceName),
  start_url: '/',
  scope: '/',
  display: 'minimal-ui',
  background_color: '#fbf9f4',
  theme_color: '#fbf9f4',
  icons: logo && isIcon(logo) ? [{ src: logoPath(logo), sizes: sizesOf(logo), type: logo.contentType }] : APP_ICONS,
  // "Share" in another app searches for what was shared.
  share_target: {
    action: '/search',
    method: 'GET',
    enctype: 'application/x-www-form-urlencoded',
    params: { text: 'q' },
  },
})

/** The words that fit, or what fits of the first. */
function shortNameOf(name: string): string {
  if (name.length <= MAX_SHORT_NAME_LENGTH) return name
  const space = name.lastIndexOf(' ', MAX_SHORT_NAME_LENGTH)
  return name.slice(0, space > 0 ? space : MAX_SHORT_NAME_LENGTH)
}

/** The least that browsers install an app with. */
const MIN_ICON_PIXELS = 144

/** A wide logo is none, nor a small one, nor one of unknown size. */
function isIcon({ contentType, size }: Logo): boolean {
  if (contentType === 'image/svg+xml') return true
  return size !== undefined && size.width === size.height && size.width >= MIN_ICON_PIXELS
}

const sizesOf = ({ size }: Logo): string => (size ? `${size.width}x${size.height}` : 'any')
