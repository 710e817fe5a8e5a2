/** The build that this page runs; undefined where the page names none. */
export const OWN_BUILD = document.querySelector('meta[name="build"]')?.getAttribute('content') ?? undefined

/** The build that a page of the client names. */
export const buildOf = (html: string): string | undefined =>
  /<meta name="build" content="([^"]*)"/.exec(html)?.[1]
