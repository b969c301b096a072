// Every page of the site, for whatever must hold on all of them: pictures, accessibility, layout.

/** Name → path, for an administrator who is signed in to the demo. */
export const SITE_PAGES: Readonly<Record<string, string>> = {
  home: '/',
  web: '/search?q=climate',
  'web-page-2': '/search?q=climate&page=2',
  'web-filtered': '/search?q=climate&date=m&safe=off&lang=de',
  'web-nothing': '/search?q=nothingtofind',
  'web-hostile': '/search?q=hostile',
  'web-calculator': '/search?q=2%5E200',
  'web-weather': '/search?q=weather+in+Paris',
  'web-currency': '/search?q=100+usd+to+eur',
  'web-colour': '/search?q=%231e90ff',
  'web-qr': '/search?q=qr+code+https%3A%2F%2Fexample.com',
  'web-definition': '/search?q=define+serendipity',
  'web-card': '/search?q=Eiffel+Tower',
  'web-card-question': '/search?q=reverse+a+list+in+python',
  'web-card-book': '/search?q=the+hobbit+book',
  images: '/search?q=climate&tab=images',
  'images-hostile': '/search?q=hostile&tab=images',
  news: '/search?q=climate&tab=news',
  'news-hostile': '/search?q=hostile&tab=news',
  videos: '/search?q=climate&tab=videos',
  'videos-hostile': '/search?q=hostile&tab=videos',
  science: '/search?q=climate&tab=science',
  'science-hostile': '/search?q=hostile&tab=science',
  code: '/search?q=climate&tab=code',
  'code-hostile': '/search?q=hostile&tab=code',
  maps: '/maps?q=Eiffel+Tower',
  'maps-point': '/maps?lat=48.8584&lon=2.2945',
  'maps-empty': '/maps',
  translate: '/translate?q=good+morning&target=fr',
  status: '/status',
  docs: '/docs',
  'docs-reference': '/docs/api/web_search',
  'docs-instant': '/docs/api/instant',
  'docs-connect': '/docs/connect',
  'settings-search': '/settings/search',
  'settings-keys': '/settings/keys',
  'settings-keys-new': '/settings/keys/new',
  'settings-connect': '/settings/connect',
  'settings-connect-program': '/settings/connect/claude-code',
  'settings-usage': '/settings/usage',
  'settings-account': '/settings/account',
  'settings-passkeys': '/settings/account/passkeys',
  'settings-passkeys-new': '/settings/account/passkeys/new',
  'settings-activity': '/settings/account/activity',
  'settings-confirm': '/settings/confirm',
  logout: '/logout',
  'admin-users': '/admin/users',
  'admin-users-new': '/admin/users/new',
  'admin-providers': '/admin/providers',
  'admin-audit': '/admin/audit',
  'admin-usage': '/admin/usage',
  'not-found': '/nowhere',
}

/** Whoever looks at every page looks at more of them in a minute than a person would. */
export const UNHURRIED = {
  API_THROTTLE_BURST: '100000/min',
  API_THROTTLE_SUSTAINED: '1000000/day',
  // A busy machine must not look like an overloaded server.
  MAX_LOOP_DELAY_MS: '0',
}

/** For who is not signed in. */
export const OPEN_PAGES: Readonly<Record<string, string>> = { login: '/login' }
