// Returns the URL at which a video can be embedded in another page: SearXNG's clients show only videos that have one.
// '' if we don't know the site.

const ID = /^[\w-]{5,40}$/

export function videoEmbed(address: string): string {
  const url = URL.parse(address)
  if (!url) return ''
  const host = url.hostname.replace(/^(?:www|m)\./, '')
  const [first = '', second = '', third = ''] = url.pathname.split('/').slice(1)
  if (host === 'youtube.com' && first === 'watch')
    return embed('https://www.youtube-nocookie.com/embed/', url.searchParams.get('v'))
  if (host === 'youtu.be') return embed('https://www.youtube-nocookie.com/embed/', first)
  if (host === 'vimeo.com') return embed('https://player.vimeo.com/video/', first)
  if (host === 'dailymotion.com' && first === 'video') return embed('https://www.dailymotion.com/embed/video/', second)
  // PeerTube, on any host.
  if (first === 'w') return embed(`${url.origin}/videos/embed/`, second)
  return first === 'videos' && second === 'watch' ? embed(`${url.origin}/videos/embed/`, third) : ''
}

const embed = (base: string, id: string | null): string => (id !== null && ID.test(id) ? `${base}${id}` : '')
