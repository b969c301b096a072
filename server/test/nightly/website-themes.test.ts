// Checks every page in every theme, at phone and at desktop width, and the layout on the narrowest phone. Themes differ
// only in colours, and no colour depends on the width, so other combinations would show nothing new.
import { expect, it } from 'vitest'
import { expectAccessiblePages, overflow } from '../support/accessible-pages.ts'
import { shareDemo } from '../support/demo-site.ts'
import { SITE_PAGES } from '../support/site-pages.ts'

const site = shareDemo()

it.each([
  { colorScheme: 'light', width: 390, preferences: '' },
  { colorScheme: 'dark', width: 1280, preferences: '' },
  { colorScheme: 'light', width: 1280, preferences: 'theme=contrast&density=comfortable' },
  { colorScheme: 'dark', width: 390, preferences: 'theme=contrast&density=compact' },
] as const)(
  'every page is accessible and does not overflow, $colorScheme at $width px $preferences',
  async (look) => await expectAccessiblePages({ ...site, ...look }),
  600_000,
)

it('no page overflows at 320 px', async () => {
  const tab = await site.openSignedIn({ viewport: { width: 320, height: 600 } })
  const wide: string[] = []
  for (const [name, path] of Object.entries(SITE_PAGES)) {
    await tab.page.goto(path)
    if ((await overflow(tab)) > 0) wide.push(name)
  }
  expect(wide).toEqual([])
  await tab.close()
}, 120_000)
