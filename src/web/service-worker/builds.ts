/** The channel on which the worker tells pages the name of the build that it begins to serve. */
export const BUILDS = 'builds'
